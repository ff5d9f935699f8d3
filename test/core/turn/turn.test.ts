import { expect, test } from "bun:test";
import { History } from "../../../src/core/turn/history.ts";
import { runTurn, type TurnDeps } from "../../../src/core/turn/turn.ts";
import type { ModelEvent, ModelRequest } from "../../../src/model/types.ts";
import type { TurnEvent } from "../../../src/protocol/events.ts";
import { assistantText, type Item, type ToolCall, userText } from "../../../src/protocol/items.ts";
import { AppError } from "../../../src/util/errors.ts";

type Step = ModelEvent | AppError;

const done: ModelEvent = { type: "finished", stop: "end" };
const says = (text: string): ModelEvent[] => [
  { type: "text", delta: text },
  { type: "item", item: assistantText(text) },
];
const call = (callId: string, raw = "{}"): ToolCall => ({
  type: "tool_call",
  callId,
  name: "tool",
  input: { kind: "json", raw },
});
const calls = (...items: ToolCall[]): ModelEvent[] => items.map((item) => ({ type: "item", item }));
const result = (callId: string, text: string): Item => ({
  type: "tool_result",
  callId,
  ok: true,
  content: [{ type: "input_text", text }],
});

function scripted(answers: Step[][], more: Partial<TurnDeps> = {}) {
  const events: TurnEvent[] = [];
  const requests: Item[][] = [];
  const history = new History([userText("go")], (event) => events.push(event));
  const control = new AbortController();
  let count = 0;
  const deps: TurnDeps = {
    request: async () => {
      requests.push([...history.items]);
      return { model: "m", instructions: "", items: history.items } as unknown as ModelRequest;
    },
    async *stream() {
      for (const step of answers.shift() ?? []) {
        if (step instanceof AppError) throw step;
        yield step;
      }
    },
    execute: async ({ callId }) => ({
      type: "tool_result",
      callId,
      ok: true,
      content: [{ type: "input_text", text: `ran ${callId}` }],
    }),
    steer: () => [],
    beforeStop: async () => undefined,
    shrink: async () => false,
    amend: () => false,
    account: () => undefined,
    newId: () => `i${count++}`,
    retries: { stream: 2, empty: 1, baseMs: 1, maxMs: 1 },
    hideReasoning: false,
    ...more,
  };
  const run = () => runTurn(history, deps, (event) => events.push(event), control.signal);
  return { run, events, requests, history, control };
}

test("results of parallel calls enter history in the model's order, whoever is ready first", async () => {
  let release = () => {};
  const first = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { run, history } = scripted(
    [
      [...calls(call("a"), call("b")), done],
      [...says("ok"), done],
    ],
    {
      execute: async ({ callId }) => {
        if (callId === "a") await first;
        else release();
        return { type: "tool_result", callId, ok: true, content: [{ type: "input_text", text: callId }] };
      },
    },
  );
  expect(await run()).toBe("ok");
  expect(history.items).toEqual([
    userText("go"),
    call("a"),
    call("b"),
    result("a", "a"),
    result("b", "b"),
    assistantText("ok"),
  ]);
});

test("a call starts while the answer is still being written", async () => {
  const order: string[] = [];
  const { run } = scripted([], {
    async *stream() {
      if (order.length > 0) return yield* [...says("ok"), done];
      yield* calls(call("a"));
      order.push("stream goes on");
      yield done;
    },
    execute: async ({ callId }) => {
      order.push(`started ${callId}`);
      return { type: "tool_result", callId, ok: true, content: [] };
    },
  });
  await run();
  expect(order).toEqual(["started a", "stream goes on"]);
});

test("an answer that broke is asked for again, and its torn text is taken back", async () => {
  const cut = new AppError("model.stream_cut", "cut", { retryable: true });
  const { run, events, requests } = scripted([
    [{ type: "text", delta: "tor" }, cut],
    [...says("whole"), done],
  ]);
  expect(await run()).toBe("whole");
  expect(requests[1]).toEqual([userText("go")]);
  const kinds = events.map((event) => (event.type === "item.updated" ? `${event.type} ""` : event.type));
  expect(kinds).toEqual([
    "item.started",
    "item.delta",
    'item.updated ""',
    "retrying",
    "item.delta",
    "history.appended",
    "item.completed",
  ]);
});

test("text that turned out not to be a message is taken back when the answer ends", async () => {
  const printed: Step[] = [
    { type: "text", delta: "<call>" },
    ...calls(call("a")),
    { type: "finished", stop: "tool_calls" },
  ];
  const { run, events } = scripted([printed, [...says("ok"), done]]);
  expect(await run()).toBe("ok");
  const first = events.slice(
    0,
    events.findIndex((event) => event.type === "item.completed"),
  );
  expect(first.filter((event) => event.type === "item.updated")).toEqual([
    { type: "item.updated", item: { id: "i0", type: "agent_message", text: "" } },
  ]);
});

test("calls that were whole before the stream broke keep their results in the next request", async () => {
  const cut = new AppError("model.stream_cut", "cut", { retryable: true });
  const { run, requests } = scripted([
    [...calls(call("a")), cut],
    [...says("ok"), done],
  ]);
  await run();
  expect(requests[1]).toEqual([userText("go"), call("a"), result("a", "ran a")]);
});

test("retries end with the error itself", async () => {
  const cut = () => new AppError("model.stream_cut", "cut again", { retryable: true });
  const { run, events } = scripted([[cut()], [cut()], [cut()]]);
  expect(run()).rejects.toThrow("cut again");
  await run().catch(() => undefined);
  expect(events.filter(({ type }) => type === "retrying").length).toBe(2);
});

test("an error that is final is not retried", async () => {
  const { run, requests } = scripted([[new AppError("model.rejected", "bad")], [...says("ok"), done]]);
  expect(await run().catch((error) => error.message)).toBe("bad");
  expect(requests.length).toBe(1);
});

test("an answer cut by the token limit in the middle of a call is answered, never run", async () => {
  const ran: string[] = [];
  const cut = call("a", '{"cmd": "rm -r');
  const { run, history } = scripted(
    [
      [...calls(cut), { type: "finished", stop: "length" }],
      [...says("ok"), done],
    ],
    {
      execute: async ({ callId }) => {
        ran.push(callId);
        return { type: "tool_result", callId, ok: true, content: [] };
      },
    },
  );
  await run();
  expect(ran).toEqual([]);
  expect(history.items[2]).toMatchObject({ type: "tool_result", callId: "a", ok: false });
});

test("text cut by the token limit fails the turn after it was shown", async () => {
  const { run, events } = scripted([
    [...says("half"), { type: "finished", stop: "length", detail: "max_output_tokens" }],
  ]);
  expect(await run().catch((error) => error.message)).toContain("max_output_tokens");
  expect(events.at(-1)).toMatchObject({
    type: "item.completed",
    item: { type: "agent_message", text: "half" },
  });
});

test("words that the user adds meanwhile go into the next request of the same turn", async () => {
  const waiting = [[{ type: "input_text" as const, text: "also this" }]];
  let isAsked = false;
  const { run, requests } = scripted(
    [
      [...says("one"), done],
      [...says("two"), done],
    ],
    {
      steer: () => {
        if (isAsked) return waiting.splice(0);
        isAsked = true;
        return [];
      },
    },
  );
  expect(await run()).toBe("two");
  expect(requests[1]).toEqual([userText("go"), assistantText("one"), userText("also this")]);
});

test("a request that overflows the window is made smaller once, then the error is final", async () => {
  const overflow = () => new AppError("model.context_window", "too long");
  let shrunk = 0;
  const { run } = scripted([[overflow()], [overflow()]], {
    shrink: async () => {
      shrunk += 1;
      return true;
    },
  });
  expect(await run().catch((error) => error.message)).toBe("too long");
  expect(shrunk).toBe(1);
});

test("an interrupt while calls run leaves every call answered", async () => {
  const { run, history, control } = scripted([[...calls(call("a"), call("b")), done]], {
    execute: async ({ callId }) => {
      control.abort();
      return { type: "tool_result", callId, ok: false, content: [{ type: "input_text", text: "aborted" }] };
    },
  });
  expect(await run().catch((error) => error.code)).toBe("aborted");
  expect(history.openCalls()).toEqual([]);
  expect(history.items.map(({ type }) => type)).toEqual([
    "message",
    "tool_call",
    "tool_call",
    "tool_result",
    "tool_result",
  ]);
});

test("before the turn ends the model can be given one more thing to do", async () => {
  const extra = [[{ type: "input_text" as const, text: "check it" }]];
  const { run, history } = scripted(
    [
      [...says("done"), done],
      [...says("checked"), done],
    ],
    {
      beforeStop: async () => extra.pop(),
    },
  );
  expect(await run()).toBe("checked");
  expect(history.items[2]).toEqual(userText("check it"));
});

test("calls behind one whose arguments are broken wait for it, so that they run in the model's order", async () => {
  const ran: string[] = [];
  const { run } = scripted(
    [
      [...calls(call("a"), call("b", "{'path': 1,}"), call("c")), done],
      [...says("ok"), done],
    ],
    {
      execute: async ({ callId }) => {
        ran.push(callId);
        return { type: "tool_result", callId, ok: true, content: [] };
      },
    },
  );
  await run();
  expect(ran).toEqual(["a", "b", "c"]);
});

test("a request that was refused for something that can be left out is sent again at once", async () => {
  const refused = () => new AppError("model.rejected", "image too large");
  let amended = 0;
  const { run, events } = scripted([[refused()], [...says("ok"), done]], {
    amend: () => {
      amended += 1;
      return true;
    },
  });
  expect(await run()).toBe("ok");
  expect(amended).toBe(1);
  expect(events.filter(({ type }) => type === "retrying")).toEqual([]);
});
