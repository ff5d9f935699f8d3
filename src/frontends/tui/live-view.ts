import { shownCommand } from "../../util/shown-command.ts";
import type { Conversation } from "./conversation.ts";
import type { Progress } from "./progress.ts";
import type { Turn } from "./state.ts";
import { costText } from "./view/duration.ts";
import type { WorkingFacts } from "./view/status.ts";
import { type SummaryFacts, summaryRows } from "./view/summary.ts";
import type { Theme } from "./view/theme.ts";

/** What the running turn is doing: its figures change with the clock, not with each token. */
export class Working {
  #facts: WorkingFacts | undefined;
  #key = "";

  /** `frame`: of the spinner, undefined while it is still. */
  facts(turn: Turn | undefined, progress: Progress, frame: number | undefined): WorkingFacts | undefined {
    const tick = frame ?? Math.floor(Date.now() / 1000);
    const key = `${tick} ${turn?.startedAt} ${turn?.isStopping} ${progress.activity}`;
    if (key !== this.#key) this.#facts = workingFacts(turn, progress, frame);
    this.#key = key;
    return this.#facts;
  }
}

function workingFacts(
  turn: Turn | undefined,
  { activity, outputTokens, tokensPerSecond }: Progress,
  frame: number | undefined,
): WorkingFacts | undefined {
  if (!turn) return undefined;
  const { startedAt, isStopping } = turn;
  const speed = tokensPerSecond === undefined ? {} : { tokensPerSecond };
  const drawn = frame === undefined ? {} : { frame };
  return { activity, elapsedMs: Date.now() - startedAt, outputTokens, isStopping, ...speed, ...drawn };
}

/** Commands that run in the background, one row each. */
export function backgroundRows({ opened }: Conversation): string[] {
  const running = opened?.user.background() ?? [];
  return running.map(({ command }) => `${shownCommand(command)} · in the background, /ps`);
}

/** The last words, for standard output. */
export function farewellText(
  progress: Progress,
  facts: Pick<SummaryFacts, "durationMs" | "sessionId">,
  theme: Theme,
): string {
  const { turnCount: turns, total: usage, changedFiles } = progress;
  const cost = costText(progress.cost);
  const rows = summaryRows(
    { ...facts, turns, usage, filesChanged: changedFiles.size, ...(cost ? { cost } : {}) },
    theme,
  );
  return rows.map((row) => `${row}\n`).join("");
}
