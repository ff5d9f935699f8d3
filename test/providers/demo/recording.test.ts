import { expect, test } from "bun:test";
import type { ModelEvent, ModelRequest } from "../../../src/model/types.ts";
import type { Item, ToolCall } from "../../../src/protocol/items.ts";
import { userText } from "../../../src/protocol/items.ts";
import { playRecording, SHOWN_PACE } from "../../../src/providers/demo/recording.ts";
import { BROKEN_LINE } from "../../../src/providers/demo/repository.ts";

const AT_ONCE = { start: 0, piece: 0 };
const RESULTS = [
  BROKEN_LINE,
  "1 passed, 3 failed",
  "Success. Updated the following files:\nM slug.sh",
  "4 passed, 0 failed",
];

function request(items: Item[], tool = "exec_command"): ModelRequest {
  return {
    model: "recording",
    instructions: "",
    items,
    tools: [{ kind: "function", name: tool, description: "", parameters: {} }],
    parallelToolCalls: true,
    layout: {},
    extraBody: {},
    extraHeaders: {},
  };
}

async function answer(items: Item[], tool?: string) {
  const events: ModelEvent[] = await Array.fromAsync(
    playRecording(request(items, tool), new AbortController().signal, AT_ONCE),
  );
  const texts = events.flatMap((event) => (event.type === "text" ? event.delta : [])).join("");
  const calls = events.flatMap((event) =>
    event.type === "item" && event.item.type === "tool_call" ? event.item : [],
  );
  return { events, text: texts, call: calls[0], last: events.at(-1) };
}

/** The history after the first `count` recorded calls were answered with these outputs. */
async function historyAfter(outputs: string[]): Promise<Item[]> {
  const items: Item[] = [userText("fix it")];
  for (const output of outputs) {
    const { call } = await answer(items);
    if (!call) throw new Error("the recording stopped early");
    items.push(call, result(call, output));
  }
  return items;
}

function result(call: ToolCall, text: string): Item {
  return { type: "tool_result", callId: call.callId, content: [{ type: "input_text", text }], ok: true };
}

test("the recording reads, runs the tests, edits, runs them again, and reports", async () => {
  const items = await historyAfter(RESULTS);
  const commands = items.flatMap((item) => (item.type === "tool_call" ? JSON.parse(item.input.raw).cmd : []));
  expect(commands.map((command: string) => command.split("\n")[0])).toEqual([
    "cat slug.sh test.sh",
    "sh test.sh",
    "apply_patch <<'EOF'",
    "sh test.sh",
  ]);
  const { text, call, last } = await answer(items);
  expect(call).toBeUndefined();
  expect(last).toEqual({ type: "finished", stop: "end" });
  expect(text).toContain("the answers above are a recording");
  expect(text).toContain("interpreter exec --oss --local-provider ollama -m NAME");
});

test("deltas add up to the items that follow them", async () => {
  const { events, text } = await answer([userText("fix it")]);
  const thoughts = events.flatMap((event) => (event.type === "thinking" ? event.delta : [])).join("");
  const items = events.flatMap((event) => (event.type === "item" ? event.item : []));
  expect(items.slice(0, 2)).toEqual([
    { type: "reasoning", summary: [thoughts] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
  ]);
  expect(events.at(-1)).toEqual({ type: "finished", stop: "tool_calls" });
});

test("an unexpected result ends the recording with an honest text", async () => {
  const items = await historyAfter([BROKEN_LINE, "sh: test.sh: not found"]);
  const { text, call, last } = await answer(items);
  expect(call).toBeUndefined();
  expect(last).toEqual({ type: "finished", stop: "end" });
  expect(text).toContain("This is a recording, not a model");
  expect(text).toContain("but the result was:\n\nsh: test.sh: not found\n");
  expect(text).toEndWith("`interpreter exec --demo` starts anew, in a folder of its own.");
});

test("a second request after the end is not answered as if a model were there", async () => {
  const items: Item[] = [...(await historyAfter(RESULTS)), userText("and now write a game")];
  expect((await answer(items)).text).toContain("The recording is at its end");
});

test("the recording uses the command tool that is offered, and stops when there is none", async () => {
  const first = async (tool: string) =>
    JSON.parse((await answer([userText("go")], tool)).call?.input.raw ?? "null");
  const command = "cat slug.sh test.sh";
  expect(await first("exec_command")).toEqual({ cmd: command, login: false, yield_time_ms: 30_000 });
  expect(await first("shell_command")).toEqual({ command, login: false, timeout_ms: 30_000 });
  expect(await first("bash")).toEqual({ command });
  expect((await answer([userText("go")], "view_image")).text).toContain("none was offered");
});

test("an interrupt ends the recording", async () => {
  const controller = new AbortController();
  const stream = playRecording(request([userText("go")]), controller.signal, { start: 0, piece: 60_000 });
  await stream.next();
  const pending = stream.next();
  controller.abort();
  expect(
    await pending.then(
      () => "went on",
      () => "ended",
    ),
  ).toBe("ended");
});

test("all pauses of the demo together stay below five seconds", async () => {
  const items = await historyAfter(RESULTS);
  let pauses = 0;
  for (const end of [0, 2, 4, 6, 8]) {
    const { events } = await answer(items.slice(0, end + 1));
    const pieces = events.filter(({ type }) => type === "text" || type === "thinking").length;
    pauses += SHOWN_PACE.start + pieces * SHOWN_PACE.piece;
  }
  expect(pauses).toBeGreaterThan(1000);
  expect(pauses).toBeLessThan(5000);
});
