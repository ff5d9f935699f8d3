import type { OpenedSession } from "../../core/runtime.ts";
import type { TurnOutcome } from "../../core/session/session.ts";
import type { Emit } from "../../protocol/events.ts";
import type { Part } from "../../protocol/items.ts";
import type { Io } from "../../protocol/program.ts";
import { VERSION } from "../../util/package.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { jsonPrinter } from "./json.ts";
import { KEPT } from "./kept.ts";
import { Writes } from "./writes.ts";

export type Conversation = {
  opened: OpenedSession;
  /** For the user, one line each; said when the session starts. */
  warnings: readonly string[];
  /** As a person typed it; shown in the progress. */
  prompt: string;
  input: Part[];
  isJson: boolean;
  isReview: boolean;
  color: "always" | "never" | "auto";
  /** ms since the epoch. */
  endsAt?: number;
};

/** Runs one turn and prints its events; resolves when everything has been written. */
export async function converse(conversation: Conversation, io: Io): Promise<TurnOutcome> {
  const { session } = conversation.opened;
  const out = new Writes((text) => (conversation.isJson ? io.stdout : io.stderr).write(text));
  const notes = new Writes((text) => io.stderr.write(text));
  const printer = conversation.isJson
    ? jsonOutput(conversation, out)
    : await humanOutput(conversation, out, io);
  const formatReview = conversation.isReview
    ? (await import("../../core/tasks/review-answer.ts")).formatReview
    : undefined;
  session.subscribe(formatReview ? reviewOnly(printer, formatReview) : printer);
  if (conversation.isJson) session.subscribe(sideNotes(notes));
  for (const notice of conversation.opened.notices) notes.add(`${terminalSafe(notice)}\n`);
  const stop = watchForStop(conversation, io.signal);
  try {
    session.start(conversation.warnings);
    const outcome = await session.submit(conversation.input);
    await out.done();
    await notes.done();
    if (!formatReview || outcome.lastMessage === undefined) return outcome;
    return { ...outcome, lastMessage: formatReview(outcome.lastMessage) };
  } finally {
    stop();
  }
}

function jsonOutput({ opened, isReview }: Conversation, out: Writes): Emit {
  return jsonPrinter({
    write: (line) => out.add(`${line}\n`),
    usageBefore: opened.usageBefore,
    hidesUsage: isReview,
  });
}

async function humanOutput({ opened, prompt, color }: Conversation, out: Writes, io: Io): Promise<Emit> {
  const [{ humanPrinter }, { Chalk }] = await Promise.all([import("./human.ts"), import("chalk")]);
  return humanPrinter({
    write: (text) => out.add(text),
    colors: new Chalk({ level: colorLevel(color, io) }),
    title: `interpreter ${VERSION}`,
    banner: bannerLines(opened),
    prompt,
    isLive: io.stderr.isTty,
    usageBefore: opened.usageBefore,
  });
}

function bannerLines({ names, settings }: OpenedSession): [string, string][] {
  return [
    ["workdir", settings.cwd],
    ["model", names.model],
    ["provider", names.provider],
    ...(names.window === undefined ? [] : [["context", names.window] satisfies [string, string]]),
    ["harness", names.harnessReason ? `${names.harness} (${names.harnessReason})` : names.harness],
    ["approval", settings.approvals],
    ["sandbox", settings.sandboxMode],
    ["reasoning effort", settings.effort ?? "default"],
    ["reasoning summaries", settings.summary ?? "default"],
    ["session id", names.session],
  ];
}

function colorLevel(color: Conversation["color"], { env, stderr }: Io): 0 | 1 {
  if (color !== "auto") return color === "always" ? 1 : 0;
  if (env["NO_COLOR"]) return 0;
  if (env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0") return 1;
  return stderr.isTty && env["TERM"] !== "dumb" ? 1 : 0;
}

/** With --json, what a person at the terminal should still read: warnings, and what to do about a failure. */
function sideNotes(notes: Writes): Emit {
  return (event) => {
    if (event.type === "warning") notes.add(`warning: ${terminalSafe(event.message)}\n`);
    if (event.type === "budget.reached") notes.add(`error: ${terminalSafe(event.message)}\n${KEPT}\n`);
    if (event.type === "model.loading") notes.add(`loading ${terminalSafe(event.model)} into memory...\n`);
    if (event.type !== "turn.failed") return;
    notes.add(`error: ${terminalSafe(event.error.message)}\n`);
    if (event.error.hint) notes.add(`${terminalSafe(event.error.hint)}\n`);
  };
}

/** A review is one message: its findings as text. What the model says on the way is not shown. */
function reviewOnly(printer: Emit, format: (answer: string) => string): Emit {
  return (event) => {
    if ("item" in event && event.type !== "history.appended" && event.item.type === "agent_message") return;
    if (event.type === "item.delta" && event.field === "text") return;
    if (event.type === "turn.completed" && event.lastMessage !== undefined) {
      const text = format(event.lastMessage);
      printer({ type: "item.completed", item: { id: "review", type: "agent_message", text } });
    }
    printer(event);
  };
}

/** Ends the turn when the program is told to stop, or when the time is up. */
function watchForStop({ opened, endsAt }: Conversation, signal: AbortSignal): () => void {
  const interrupt = () => void opened.session.interrupt("interrupted");
  if (signal.aborted) queueMicrotask(interrupt);
  else signal.addEventListener("abort", interrupt, { once: true });
  const timer =
    endsAt === undefined
      ? undefined
      : setTimeout(() => void opened.session.interrupt("deadline"), Math.max(0, endsAt - Date.now()));
  return () => {
    signal.removeEventListener("abort", interrupt);
    clearTimeout(timer);
  };
}
