import { describe, expect, test } from "bun:test";
import type { WireTool } from "../../../src/model/types.ts";
import { responsesBody } from "../../../src/model/wires/responses-request.ts";
import { ResponsesReader } from "../../../src/model/wires/responses-stream.ts";
import { assistantText, developerText, type Item, userText } from "../../../src/protocol/items.ts";
import { toAppError } from "../../../src/util/errors.ts";
import { itemsOf, read, request } from "../ask.ts";

const PNG = "data:image/png;base64,AAAA";
const TOOLS: WireTool[] = [
  { kind: "function", name: "run", description: "Runs.", parameters: { type: "object" } },
  {
    kind: "freeform",
    name: "patch",
    description: "Patches.",
    grammar: { syntax: "lark", definition: "start: x" },
  },
];

function stream(...events: [string, Record<string, unknown>][]): string {
  return events
    .map(([type, fields]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
    .join("");
}

function reader(): ResponsesReader {
  return new ResponsesReader(request({ tools: TOOLS }));
}

function input(items: Item[]): unknown {
  return responsesBody(request({ items }))["input"];
}

const completed: [string, Record<string, unknown>] = [
  "response.completed",
  { response: { id: "r", status: "completed", output: [] } },
];

function done(item: Record<string, unknown>): [string, Record<string, unknown>] {
  return ["response.output_item.done", { output_index: 0, item }];
}

describe("the request", () => {
  test("has the documented keys", () => {
    expect(
      responsesBody(
        request({
          tools: TOOLS,
          cacheKey: "thread-1",
          reasoning: { effort: "low", summary: "auto" },
          maxOutputTokens: 9,
        }),
      ),
    ).toEqual({
      model: "fake-1",
      instructions: "Be brief.",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "go" }] }],
      tools: [
        {
          type: "function",
          name: "run",
          description: "Runs.",
          strict: false,
          parameters: { type: "object" },
        },
        {
          type: "custom",
          name: "patch",
          description: "Patches.",
          format: { type: "grammar", syntax: "lark", definition: "start: x" },
        },
      ],
      tool_choice: "auto",
      parallel_tool_calls: true,
      reasoning: { effort: "low", summary: "auto" },
      store: false,
      stream: true,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "thread-1",
      max_output_tokens: 9,
    });
  });

  test("carries an output schema and the verbosity", () => {
    const schema = { type: "object" };
    expect(responsesBody(request({ outputSchema: schema, verbosity: "low" }))["text"]).toEqual({
      verbosity: "low",
      format: { type: "json_schema", strict: true, schema, name: "codex_output_schema" },
    });
  });

  test("keeps roles, ids of this wire, phases and sealed thoughts", () => {
    const items: Item[] = [
      developerText("Rules."),
      { type: "message", role: "user", content: [{ type: "input_image", imageUrl: PNG, detail: "high" }] },
      { type: "reasoning", summary: ["hm"], sealed: { wire: "responses", data: "sealed" }, id: "rs_1" },
      { type: "reasoning", summary: [], text: "from elsewhere" },
      { ...assistantText("ok"), id: "msg_1", phase: "commentary" },
      { ...assistantText("no"), id: "other" },
      { type: "opaque", wire: "responses", raw: { type: "web_search_call", id: "ws_1" } },
      { type: "opaque", wire: "messages", raw: { type: "server_tool_use" } },
      { type: "compaction", summary: "So far.", replaced: 2 },
    ];
    expect(input(items)).toEqual([
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Rules." }] },
      { type: "message", role: "user", content: [{ type: "input_image", image_url: PNG, detail: "high" }] },
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: "sealed",
      },
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "ok" }],
        id: "msg_1",
        phase: "commentary",
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "no" }] },
      { type: "web_search_call", id: "ws_1" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "So far." }] },
    ]);
  });

  test("pairs calls with outputs of their kind", () => {
    const items: Item[] = [
      { type: "tool_call", callId: "a", name: "run", input: { kind: "json", raw: '{"x": 1}' }, id: "fc_1" },
      { type: "tool_call", callId: "b", name: "patch", input: { kind: "text", raw: "p" } },
      { type: "tool_call", callId: "c", name: "run", input: { kind: "json", raw: "{bad" } },
      {
        type: "tool_result",
        callId: "a",
        content: [
          { type: "input_text", text: "seen" },
          { type: "input_image", imageUrl: PNG },
        ],
        ok: true,
      },
      { type: "tool_result", callId: "b", content: [{ type: "input_text", text: "done" }], ok: true },
      { type: "tool_result", callId: "zzz", content: [], ok: true },
    ];
    expect(input(items)).toEqual([
      { type: "function_call", id: "fc_1", call_id: "a", name: "run", arguments: '{"x": 1}' },
      { type: "custom_tool_call", call_id: "b", name: "patch", input: "p" },
      { type: "function_call", call_id: "c", name: "run", arguments: '{"invalid_json":"{bad"}' },
      { type: "function_call_output", call_id: "c", output: "aborted" },
      {
        type: "function_call_output",
        call_id: "a",
        output: [
          { type: "input_text", text: "seen" },
          { type: "input_image", image_url: PNG },
        ],
      },
      { type: "custom_tool_call_output", call_id: "b", output: "done" },
    ]);
  });
});

describe("the stream", () => {
  test("becomes deltas, items and an end", () => {
    const text = stream(
      ["response.created", { response: { id: "r1", model: "m" } }],
      ["response.reasoning_summary_text.delta", { delta: "hm", summary_index: 0 }],
      ["response.reasoning_summary_part.added", { summary_index: 1 }],
      ["response.reasoning_text.delta", { delta: "raw" }],
      done({
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "hm" }],
        content: [{ type: "reasoning_text", text: "raw" }],
        encrypted_content: "sealed",
      }),
      ["response.output_text.delta", { delta: "Hi" }],
      done({
        type: "message",
        id: "msg_1",
        role: "assistant",
        phase: "final_answer",
        content: [{ type: "output_text", text: "Hi" }],
      }),
      [
        "response.completed",
        {
          response: {
            status: "completed",
            error: null,
            usage: {
              input_tokens: 9,
              input_tokens_details: { cached_tokens: 4 },
              output_tokens: 5,
              output_tokens_details: { reasoning_tokens: 2 },
            },
          },
        },
      ],
    );
    expect(read(reader(), text)).toEqual([
      { type: "started", responseId: "r1", model: "m" },
      { type: "thinking", delta: "hm", kind: "summary" },
      { type: "thinking", delta: "\n\n", kind: "summary" },
      { type: "thinking", delta: "raw", kind: "raw" },
      {
        type: "item",
        item: {
          type: "reasoning",
          id: "rs_1",
          summary: ["hm"],
          text: "raw",
          sealed: { wire: "responses", data: "sealed" },
        },
      },
      { type: "text", delta: "Hi" },
      { type: "item", item: { ...assistantText("Hi"), id: "msg_1", phase: "final_answer" } },
      {
        type: "finished",
        stop: "end",
        usage: { input: 9, cachedInput: 4, cacheWrite: 0, output: 5, reasoning: 2 },
      },
    ]);
  });

  test("brings calls of both kinds, and hosted calls as they are", () => {
    const search = { type: "web_search_call", id: "ws_1", action: { type: "search", query: "q" } };
    const text = stream(
      [
        "response.output_item.added",
        { output_index: 0, item: { type: "function_call", call_id: "a", name: "run" } },
      ],
      ["response.function_call_arguments.delta", { output_index: 0, delta: '{"x"' }],
      done({ type: "function_call", id: "fc_1", call_id: "a", name: "run", arguments: '{"x":1}' }),
      done({ type: "custom_tool_call", id: "ctc_1", call_id: "b", name: "patch", input: "p" }),
      done({ type: "function_call", id: "fc_2", call_id: "c", name: "run", arguments: { x: 1 } }),
      done({ type: "function_call", id: "fc_3", call_id: "d", name: "run", arguments: "" }),
      done(search),
      completed,
    );
    expect(read(reader(), text)).toEqual([
      { type: "tool_input", callId: "a", name: "run", delta: '{"x"' },
      {
        type: "item",
        item: {
          type: "tool_call",
          callId: "a",
          name: "run",
          input: { kind: "json", raw: '{"x":1}' },
          id: "fc_1",
        },
      },
      {
        type: "item",
        item: {
          type: "tool_call",
          callId: "b",
          name: "patch",
          input: { kind: "text", raw: "p" },
          id: "ctc_1",
        },
      },
      {
        type: "item",
        item: {
          type: "tool_call",
          callId: "c",
          name: "run",
          input: { kind: "json", raw: '{"x":1}' },
          id: "fc_2",
        },
      },
      {
        type: "item",
        item: { type: "tool_call", callId: "d", name: "run", input: { kind: "json", raw: "{}" }, id: "fc_3" },
      },
      { type: "item", item: { type: "opaque", wire: "responses", raw: search } },
      { type: "finished", stop: "tool_calls" },
    ]);
  });

  test("without any item is a complete answer", () => {
    expect(read(reader(), stream(completed))).toEqual([{ type: "finished", stop: "end" }]);
  });

  test("that names an item only at its end still brings it, once", () => {
    const message = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "Hi" }] };
    const end: [string, Record<string, unknown>] = [
      "response.completed",
      { response: { output: [message] } },
    ];
    const expected = [{ ...assistantText("Hi"), id: "msg_1" }];
    expect(itemsOf(read(reader(), stream(end)))).toEqual(expected);
    expect(itemsOf(read(reader(), stream(done(message), end)))).toEqual(expected);
  });

  test("that has other ids in the list at its end brings no item twice", () => {
    const message = { type: "message", id: "m1", content: [{ type: "output_text", text: "Hi" }] };
    const made = { type: "function_call", id: "f1", call_id: "a", name: "run", arguments: "{}" };
    const output = [message, made].map((item) => ({ ...item, id: `${item.id}-again`, status: "completed" }));
    const text = stream(done(message), done(made), ["response.completed", { response: { output } }]);
    expect(itemsOf(read(reader(), text)).map((item) => "id" in item && item.id)).toEqual(["m1", "f1"]);
  });

  test("that comes in pieces only, or whose end leaves out the arguments, is put together", () => {
    const added = { type: "function_call", id: "f1", call_id: "a", name: "run", arguments: "" };
    const pieces: [string, Record<string, unknown>][] = [
      ["response.output_item.added", { output_index: 0, item: added }],
      ["response.function_call_arguments.delta", { output_index: 0, delta: '{"x"' }],
      ["response.function_call_arguments.done", { output_index: 0, arguments: '{"x":1}' }],
    ];
    const end: [string, Record<string, unknown>] = [
      "response.output_item.done",
      { output_index: 0, item: added },
    ];
    for (const events of [pieces, [...pieces, end]]) {
      expect(itemsOf(read(reader(), stream(...events, completed)))).toEqual([
        { type: "tool_call", callId: "a", name: "run", input: { kind: "json", raw: '{"x":1}' }, id: "f1" },
      ]);
    }
    const words: [string, Record<string, unknown>] = ["response.output_text.delta", { delta: "Hi" }];
    expect(itemsOf(read(reader(), stream(words, completed)))).toEqual([assistantText("Hi")]);
  });

  test("cut by the token limit says why", () => {
    const response = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    expect(read(reader(), stream(["response.incomplete", { response }]))).toEqual([
      { type: "finished", stop: "length", detail: "max_output_tokens" },
    ]);
  });

  const failures: [string, string, string, boolean][] = [
    ["a full context window", failed("context_length_exceeded"), "model.context_window", false],
    ["a rate limit", failed("rate_limit_exceeded"), "model.rate_limited", true],
    ["a server error", failed("server_error"), "model.stream_cut", true],
    ["a used-up quota", failed("insufficient_quota"), "model.rejected", false],
    ["overload", failed("server_is_overloaded"), "model.overloaded", true],
    ["an error event", stream(["error", { code: "server_error", message: "m" }]), "model.stream_cut", true],
    [
      "an end without the last event",
      stream(["response.created", { response: {} }]),
      "model.stream_cut",
      true,
    ],
  ];
  for (const [name, text, code, retryable] of failures) {
    test(`that ends with ${name} is ${code}`, () => {
      const error = caught(() => read(reader(), text));
      expect([String(error?.code), error?.retryable]).toEqual([code, retryable]);
    });
  }

  test("that failed keeps the server's words", () => {
    expect(caught(() => read(reader(), failed("server_error")))?.message).toBe(
      "stream disconnected before completion: the words",
    );
  });
});

function failed(code: string): string {
  return stream([
    "response.failed",
    { response: { status: "failed", error: { code, message: "the words" } } },
  ]);
}

function caught(action: () => unknown) {
  try {
    action();
    return undefined;
  } catch (cause) {
    return toAppError(cause);
  }
}

test("a whole document is read like a stream", () => {
  const document = {
    id: "r",
    status: "completed",
    output: [{ type: "message", id: "msg_1", content: [{ type: "output_text", text: "Hi" }] }],
  };
  expect(reader().whole(document)).toEqual([
    { type: "item", item: { ...assistantText("Hi"), id: "msg_1" } },
    { type: "finished", stop: "end" },
  ]);
});

test("a history that was sent once begins every later request", () => {
  const history = [userText("go"), assistantText("ok")];
  const before = JSON.stringify(input(history)).slice(0, -1);
  expect(JSON.stringify(input([...history, userText("on")])).startsWith(before)).toBe(true);
});
