import { expect, test } from "bun:test";
import type { AnswerReader } from "../../../src/model/converse.ts";
import type { ModelRequest } from "../../../src/model/types.ts";
import { ChatReader } from "../../../src/model/wires/chat-stream.ts";
import { MessagesReader } from "../../../src/model/wires/messages-stream.ts";
import { OllamaReader } from "../../../src/model/wires/ollama-stream.ts";
import { ResponsesReader } from "../../../src/model/wires/responses-stream.ts";
import { assistantText, type Item } from "../../../src/protocol/items.ts";
import { toAppError } from "../../../src/util/errors.ts";
import { itemsOf, request } from "../ask.ts";

const CALL = '<tool_call>{"name": "run", "arguments": {"cmd": "ls"}}</tool_call>';
const KIMI =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.run:4<|tool_call_argument_begin|>{"cmd": "ls"}<|tool_call_end|>';

function asked(change: Partial<ModelRequest> = {}): ModelRequest {
  return request({
    tools: [
      {
        kind: "function",
        name: "run",
        description: "",
        parameters: { properties: { cmd: { type: "string" } } },
      },
      { kind: "freeform", name: "patch", description: "" },
    ],
    ...change,
  });
}

type Answer = { texts: readonly string[]; isCut?: boolean; native?: boolean };

/** What each wire makes of the same answer. */
const WIRES: Readonly<
  Record<string, (what: ModelRequest, answer: Answer) => ReturnType<AnswerReader["end"]>>
> = {
  chat: (what, answer) => play(new ChatReader(what), chatChunks(answer)),
  ollama: (what, answer) => play(new OllamaReader(what), ollamaLines(answer)),
  messages: (what, answer) => play(new MessagesReader(what), messagesEvents(answer)),
  responses: (what, answer) => play(new ResponsesReader(what), responsesEvents(answer)),
};

function play(reader: AnswerReader, events: readonly unknown[]) {
  return [...events.flatMap((event) => reader.take(event, "")), ...reader.end(true)];
}

function chatChunks({ texts, isCut, native }: Answer): unknown[] {
  const tool = { index: 0, id: "n1", function: { name: "run", arguments: '{"cmd":"pwd"}' } };
  const deltas = [...texts.map((content) => ({ content })), ...(native ? [{ tool_calls: [tool] }] : [])];
  const chunks = deltas.map((delta) => ({ choices: [{ delta }] }));
  return [...chunks, { choices: [{ delta: {}, finish_reason: isCut ? "length" : "stop" }] }];
}

function ollamaLines({ texts, isCut, native }: Answer): unknown[] {
  const tool = { id: "n1", function: { name: "run", arguments: { cmd: "pwd" } } };
  return [
    ...texts.map((content) => ({ message: { content } })),
    ...(native ? [{ message: { content: "", tool_calls: [tool] } }] : []),
    { done: true, done_reason: isCut ? "length" : "stop", message: { content: "" } },
  ];
}

function messagesEvents({ texts, isCut, native }: Answer): unknown[] {
  const tool = { type: "tool_use", id: "n1", name: "run", input: { cmd: "pwd" } };
  return [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...texts.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    ...(native ? [{ type: "content_block_start", index: 1, content_block: tool }] : []),
    { type: "message_delta", delta: { stop_reason: isCut ? "max_tokens" : "end_turn" } },
    { type: "message_stop" },
  ];
}

function responsesEvents({ texts, isCut, native }: Answer): unknown[] {
  const content = [{ type: "output_text", text: texts.join("") }];
  const tool = { type: "function_call", call_id: "n1", name: "run", arguments: '{"cmd":"pwd"}' };
  return [
    ...texts.map((delta) => ({ type: "response.output_text.delta", delta })),
    { type: "response.output_item.done", item: { type: "message", id: "m1", role: "assistant", content } },
    ...(native ? [{ type: "response.output_item.done", item: tool }] : []),
    { type: isCut ? "response.incomplete" : "response.completed", response: {} },
  ];
}

/** Ids that are made up differ each time. */
function named(items: readonly Item[]): Item[] {
  return items.map((item) =>
    item.type === "tool_call" && item.callId.startsWith("call_") ? { ...item, callId: "made" } : item,
  );
}

function callItem(callId: string, raw = '{"cmd":"ls"}'): Item {
  return { type: "tool_call", callId, name: "run", input: { kind: "json", raw } };
}

for (const [wire, read] of Object.entries(WIRES)) {
  test(`${wire}: a printed call becomes a call, and its markup is never shown`, () => {
    const events = read(asked(), { texts: ["Let me look.\n<tool", CALL.slice(5, 20), CALL.slice(20)] });
    expect(named(itemsOf(events))).toEqual([assistantText("Let me look."), callItem("made")]);
    expect(events.flatMap((event) => (event.type === "text" ? [event.delta] : []))).toEqual([
      "Let me look.\n",
    ]);
    expect(events.at(-1)).toMatchObject({ type: "finished", stop: "tool_calls" });
  });

  test(`${wire}: thoughts in tags are told apart`, () => {
    const events = read(asked(), { texts: ["<think>pl", "an</think>\n\n", CALL] });
    expect(named(itemsOf(events))).toEqual([
      { type: "reasoning", summary: [], text: "plan" },
      callItem("made"),
    ]);
  });

  test(`${wire}: beside a call that the server found, markup is only left out`, () => {
    const events = read(asked(), { texts: [`Now.\n${CALL}`], native: true });
    const [text, call, ...more] = itemsOf(events);
    expect([text?.type === "message" && text.content, call, more]).toEqual([
      [{ type: "output_text", text: "Now.\n" }],
      callItem("n1", '{"cmd":"pwd"}'),
      [],
    ]);
  });

  test(`${wire}: text without calls stays as it is, and so does markup when rescue is off`, () => {
    const text = "Write `<tool_call>` or\n```\n</think>\n```\n";
    const plain = itemsOf(read(asked(), { texts: [text] }));
    const off = itemsOf(read(asked({ rescueToolCalls: false }), { texts: [CALL] }));
    expect([...plain, ...off].map((item) => item.type === "message" && item.content)).toEqual([
      [{ type: "output_text", text }],
      [{ type: "output_text", text: CALL }],
    ]);
  });

  test(`${wire}: an answer that hit the token limit makes no call of bare JSON`, () => {
    const text = '{"name": "run", "arguments": {"cmd": "ls"}}';
    expect(itemsOf(read(asked(), { texts: [text] })).map(({ type }) => type)).toEqual(["tool_call"]);
    expect(itemsOf(read(asked(), { texts: [text], isCut: true })).map(({ type }) => type)).toEqual([
      "message",
    ]);
  });
}

test("an id that a model counts itself goes back unchanged, once", () => {
  const items = (what: ModelRequest) =>
    named(itemsOf(play(new ChatReader(what), chatChunks({ texts: [KIMI] }))));
  expect(items(asked())).toEqual([callItem("functions.run:4")]);
  expect(items(asked({ items: [callItem("functions.run:4")] }))).toEqual([callItem("made")]);
});

test("a printed call of a tool that takes plain text gets it", () => {
  const text =
    "<tool_call>\n<function=patch>\n<parameter=input>\n*** Begin\n</parameter>\n</function>\n</tool_call>";
  expect(named(itemsOf(play(new ChatReader(asked()), chatChunks({ texts: [text] }))))).toEqual([
    { type: "tool_call", callId: "made", name: "patch", input: { kind: "text", raw: "*** Begin" } },
  ]);
});

test("a call in the reasoning alone is not an empty answer; thoughts alone still are", () => {
  const play1 = (reasoning: string) =>
    play(new ChatReader(asked()), [
      { choices: [{ delta: { reasoning_content: reasoning } }] },
      { choices: [{ delta: { content: "" }, finish_reason: "stop" }] },
    ]);
  expect(named(itemsOf(play1(`thinking${KIMI}`)))).toEqual([
    { type: "reasoning", summary: [], text: "thinking" },
    callItem("functions.run:4"),
  ]);
  let code = "none";
  try {
    play1("thinking");
  } catch (cause) {
    code = toAppError(cause).code;
  }
  expect(code).toBe("model.empty");
});

test("on the responses wire, text that was not streamed is read from its item", () => {
  const content = [{ type: "output_text", text: `On it.${CALL}` }];
  const item = { type: "message", id: "m1", role: "assistant", content };
  const events = new ResponsesReader(asked()).whole({ status: "completed", output: [item] });
  expect(named(itemsOf(events))).toEqual([assistantText("On it."), callItem("made")]);
});
