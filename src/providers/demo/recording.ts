import type { ModelEvent, ModelRequest } from "../../model/types.ts";
import { assistantText, type Item, type ToolCall, textOf } from "../../protocol/items.ts";
import { sleep } from "../../util/async.ts";
import { ENDING, NO_COMMAND_TOOL, PLAYED, STEPS, type Step, unexpected } from "./script.ts";

/** Milliseconds: before an answer starts, and between the pieces of a text. */
export type Pace = { start: number; piece: number };

export const SHOWN_PACE: Pace = { start: 200, piece: 18 };
const WORDS_PER_PIECE = 3;

/** Plays the next answer. It reads the latest result first, and says so when that is not what was recorded. */
export async function* playRecording(
  request: ModelRequest,
  signal: AbortSignal,
  pace: Pace = SHOWN_PACE,
): AsyncGenerator<ModelEvent> {
  await sleep(pace.start, signal);
  yield { type: "started", model: request.model };
  const answer = nextAnswer(request);
  if (typeof answer === "string") {
    yield* say(answer, pace, signal);
    yield { type: "finished", stop: "end" };
    return;
  }
  yield* think(answer.step.thinking, pace, signal);
  yield* say(answer.step.text, pace, signal);
  yield { type: "item", item: answer.call };
  yield { type: "finished", stop: "tool_calls" };
}

function nextAnswer({ items, tools }: ModelRequest): { step: Step; call: ToolCall } | string {
  const done = items.filter((item) => item.type === "tool_call").length;
  if (done > STEPS.length || (done === STEPS.length && items.at(-1)?.type !== "tool_result")) return PLAYED;
  const before = STEPS[done - 1];
  const output = latestOutput(items);
  if (before && !output.includes(before.expects)) return unexpected(before, output);
  const step = STEPS[done];
  if (!step) return ENDING;
  const call = commandCall(step.command, new Set(tools.map(({ name }) => name)), done);
  return call ? { step, call } : NO_COMMAND_TOOL;
}

function latestOutput(items: readonly Item[]): string {
  const result = items.findLast((item) => item.type === "tool_result");
  return result ? textOf(result.content) : "";
}

// Without the user's profile: it takes time, and what it prints would disturb the demo.
const COMMAND_TOOLS = [
  { name: "exec_command", argumentsFor: (cmd: string) => ({ cmd, login: false, yield_time_ms: 30_000 }) },
  {
    name: "shell_command",
    argumentsFor: (command: string) => ({ command, login: false, timeout_ms: 30_000 }),
  },
  { name: "bash", argumentsFor: (command: string) => ({ command }) },
] as const;

function commandCall(command: string, offered: ReadonlySet<string>, index: number): ToolCall | undefined {
  const tool = COMMAND_TOOLS.find(({ name }) => offered.has(name));
  if (!tool) return undefined;
  const raw = JSON.stringify(tool.argumentsFor(command));
  return { type: "tool_call", callId: `demo_${index + 1}`, name: tool.name, input: { kind: "json", raw } };
}

async function* think(text: string, pace: Pace, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  for (const delta of pieces(text)) {
    await sleep(pace.piece, signal);
    yield { type: "thinking", delta, kind: "summary" };
  }
  yield { type: "item", item: { type: "reasoning", summary: [text] } };
}

async function* say(text: string, pace: Pace, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  for (const delta of pieces(text)) {
    await sleep(pace.piece, signal);
    yield { type: "text", delta };
  }
  yield { type: "item", item: assistantText(text) };
}

/** The text in pieces of a few words; joined they are the text again. */
function pieces(text: string): string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  const count = Math.ceil(words.length / WORDS_PER_PIECE);
  return Array.from({ length: count }, (_, n) =>
    words.slice(n * WORDS_PER_PIECE, (n + 1) * WORDS_PER_PIECE).join(""),
  );
}
