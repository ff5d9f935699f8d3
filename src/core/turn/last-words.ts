import { type Item, type Part, userText } from "../../protocol/items.ts";
import type { TaskEnd } from "../../tools/shell/task-ends.ts";
import type { Unfinished } from "../../tools/unfinished.ts";
import type { Ledger } from "./ledger.ts";
import type { HarnessLink } from "./settings.ts";

export type LastWordsParts = {
  /** Said once, when the model thinks it is done. */
  verifyPrompt: Part[] | undefined;
  harness: Pick<HarnessLink, "endNotice">;
  ledger: Pick<Ledger, "budget" | "usedTokens">;
  /** Why a turn should go on although the model has stopped; may wait for child agents, until the signal fires. */
  unfinished?(usedTokens: number, signal: AbortSignal): Promise<Unfinished | undefined>;
};

/**
 * What the model must hear before a turn ends, asked again each time it stops; undefined lets the turn end. `spoken` fires
 * when the user says something meanwhile: then nothing else is waited for.
 */
export function lastWords(
  parts: LastWordsParts,
  signal: AbortSignal,
): (spoken: AbortSignal) => Promise<Part[] | undefined> {
  let toVerify = parts.verifyPrompt;
  return async (spoken) => {
    const { ledger, harness } = parts;
    if (ledger.budget.reached) return undefined;
    const more = await parts.unfinished?.(ledger.usedTokens, AbortSignal.any([signal, spoken]));
    if (spoken.aborted && !more) return undefined;
    const words = more && wordsOf(more, harness);
    if (words && words.length > 0) return words;
    const prompt = toVerify;
    toVerify = undefined;
    return prompt;
  };
}

/** What the model must hear before its next request: reminders, ends of tasks, prompts for this time, the time left. */
export function dueItems(
  { harness, takeTaskEnds, takeWakeups, planNews, now }: DueParts,
  items: readonly Item[],
  timeLeft: { due(now: number): Item | undefined } | undefined,
): Item[] {
  const due = [
    planNews?.(items),
    harness.reminder?.(items),
    ...(takeTaskEnds?.() ?? []).map((end) => harness.endNotice?.(end)),
    ...(takeWakeups?.(now()) ?? []).map(userText),
    timeLeft?.due(now()),
  ];
  return due.filter((item) => item !== undefined);
}

export type DueParts = {
  harness: Pick<HarnessLink, "reminder" | "endNotice">;
  takeTaskEnds?(): readonly TaskEnd[];
  takeWakeups?(now: number): readonly string[];
  planNews?(items: readonly Item[]): Item | undefined;
  now(): number;
};

function wordsOf(more: Unfinished, { endNotice }: LastWordsParts["harness"]): Part[] {
  if ("prompt" in more) return [{ type: "input_text", text: more.prompt }];
  const notices = more.ends.map((end) => endNotice?.(end));
  return notices.flatMap((item) => (item?.type === "message" ? item.content : []));
}
