import { describe, expect, test } from "bun:test";
import type { MessageLayout, ModelRequest } from "../../../src/model/types.ts";
import { messagesBody } from "../../../src/model/wires/messages-request.ts";
import { MessagesReader } from "../../../src/model/wires/messages-stream.ts";
import { assistantText, developerText, type Item, userText } from "../../../src/protocol/items.ts";
import { toAppError } from "../../../src/util/errors.ts";
import { itemsOf, read, request } from "../ask.ts";

const CACHED = { cache_control: { type: "ephemeral" } };

function body(change: Partial<ModelRequest>) {
  return messagesBody(request(change), { quirks: {}, mergeRoles: false });
}

function messages(items: Item[], layout: MessageLayout = {}): unknown {
  return body({ items, layout: { cacheBreakpoints: 0, ...layout } })["messages"];
}

function call(callId: string, raw = "{}"): Item {
  return { type: "tool_call", callId, name: "run", input: { kind: "json", raw } };
}

function result(callId: string, text: string, ok = true): Item {
  return { type: "tool_result", callId, content: [{ type: "input_text", text }], ok };
}

function stream(...events: [string, Record<string, unknown>][]): string {
  return events
    .map(([type, fields]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
    .join("");
}

function reader(): MessagesReader {
  return new MessagesReader(request({ tools: [{ kind: "freeform", name: "patch", description: "" }] }));
}

function caught(action: () => unknown) {
  try {
    action();
    return undefined;
  } catch (cause) {
    const { code, retryable } = toAppError(cause);
    return { code: String(code), retryable };
  }
}

const start: [string, Record<string, unknown>] = [
  "message_start",
  {
    message: {
      id: "m1",
      model: "m",
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 2,
        output_tokens: 1,
      },
    },
  },
];
const stop: [string, Record<string, unknown>] = ["message_stop", {}];
const ends = (reason: string): [string, Record<string, unknown>] => [
  "message_delta",
  { delta: { stop_reason: reason }, usage: { output_tokens: 7 } },
];

describe("the request", () => {
  test("has system blocks, tools and the required output limit", () => {
    const parameters = { type: "object" };
    expect(body({ tools: [{ kind: "function", name: "run", description: "Runs.", parameters }] })).toEqual({
      model: "fake-1",
      messages: [{ role: "user", content: [{ type: "text", text: "go", ...CACHED }] }],
      system: [{ type: "text", text: "Be brief.", ...CACHED }],
      tools: [{ name: "run", description: "Runs.", input_schema: parameters }],
      max_tokens: 8_192,
      stream: true,
    });
  });

  test("takes the output limit from the request, or from what the model is known to write", () => {
    const limits = [
      {},
      { model: "claude-sonnet-4-5" },
      { model: "claude-3-5-haiku" },
      { maxOutputTokens: 50 },
    ];
    expect(limits.map((change) => body(change)["max_tokens"])).toEqual([8_192, 32_000, 8_192, 50]);
  });

  test("gives thinking a budget below the output limit", () => {
    const thinking = (change: Partial<ModelRequest>) => body(change)["thinking"];
    expect([
      thinking({ reasoning: { effort: "low" } }),
      thinking({ reasoning: { effort: "xhigh" } }),
      thinking({ reasoning: { effort: "none" } }),
      thinking({ reasoning: { effort: "high" }, maxOutputTokens: 1_500 }),
    ]).toEqual([
      { type: "enabled", budget_tokens: 4_096 },
      { type: "enabled", budget_tokens: 4_096 },
      undefined,
      undefined,
    ]);
  });

  test("gives out cache marks from the end of the prompt", () => {
    const items = [developerText("Rules."), userText("go"), assistantText("ok"), userText("on")];
    const marks = (layout: MessageLayout) => {
      const { system, messages: sent } = body({ items, layout });
      return [system, sent].map((part) => JSON.stringify(part).split("cache_control").length - 1);
    };
    expect([
      marks({ cacheBreakpoints: 0 }),
      marks({ cacheBreakpoints: 1 }),
      marks({}),
      marks({ system: "blocks", cacheBreakpoints: 3 }),
    ]).toEqual([
      [0, 0],
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
  });

  test("puts what comes after a harness's own system blocks into the last of them", () => {
    const items = [developerText("Rules."), userText("go")];
    const layout = { system: "blocks", cacheBreakpoints: 0 } as const;
    expect(body({ items, layout, instructionBlocks: ["one", "two"] })["system"]).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "two\n\nRules." },
    ]);
  });

  test("asks for single calls when several are not wanted", () => {
    const tools = [{ kind: "function" as const, name: "run", description: "", parameters: {} }];
    expect(body({ tools, parallelToolCalls: false })["tool_choice"]).toEqual({
      type: "auto",
      disable_parallel_tool_use: true,
    });
  });

  test("alternates roles, with results first after their calls", () => {
    const items = [
      userText("go"),
      userText("really"),
      assistantText("Look."),
      call("a", '{"x":1}'),
      call("b", "{bad"),
      result("b", "failed", false),
      userText("and?"),
    ];
    expect(messages(items)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "go" },
          { type: "text", text: "really" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Look." },
          { type: "tool_use", id: "a", name: "run", input: { x: 1 } },
          { type: "tool_use", id: "b", name: "run", input: { invalid_json: "{bad" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "aborted", is_error: true },
          { type: "tool_result", tool_use_id: "b", content: "failed", is_error: true },
          { type: "text", text: "and?" },
        ],
      },
    ]);
  });

  test("sends back its own thoughts only", () => {
    const items: Item[] = [
      { type: "reasoning", summary: [], text: "hm", sealed: { wire: "messages", data: "sig" } },
      { type: "reasoning", summary: [], sealed: { wire: "messages", data: "redacted" } },
      { type: "reasoning", summary: ["s"], sealed: { wire: "responses", data: "x" } },
      { type: "reasoning", summary: [], text: "from chat" },
      assistantText("ok"),
    ];
    expect(messages(items)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "sig" },
          { type: "redacted_thinking", data: "redacted" },
          { type: "text", text: "ok" },
        ],
      },
    ]);
  });

  test("sends images of users and tools", () => {
    const image: Item = {
      type: "tool_result",
      callId: "a",
      content: [{ type: "input_image", imageUrl: "data:image/png;base64,AAAA" }],
      ok: true,
    };
    const user: Item = {
      type: "message",
      role: "user",
      content: [{ type: "input_image", imageUrl: "https://x/y.png" }],
    };
    expect(messages([user, call("functions.run:0"), { ...image, callId: "functions.run:0" }])).toEqual([
      { role: "user", content: [{ type: "image", source: { type: "url", url: "https://x/y.png" } }] },
      { role: "assistant", content: [{ type: "tool_use", id: "functions_run_0", name: "run", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "functions_run_0",
            content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }],
          },
        ],
      },
    ]);
  });
});

describe("the stream", () => {
  test("becomes deltas, then items, then an end with all usage", () => {
    const text = stream(
      start,
      ["ping", {}],
      ["content_block_start", { index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }],
      ["content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "hm" } }],
      ["content_block_delta", { index: 0, delta: { type: "signature_delta", signature: "sig" } }],
      ["content_block_stop", { index: 0 }],
      ["content_block_start", { index: 1, content_block: { type: "text", text: "" } }],
      ["content_block_delta", { index: 1, delta: { type: "text_delta", text: "Hi" } }],
      [
        "content_block_start",
        { index: 2, content_block: { type: "tool_use", id: "t1", name: "run", input: {} } },
      ],
      ["content_block_delta", { index: 2, delta: { type: "input_json_delta", partial_json: '{"x":' } }],
      ["content_block_delta", { index: 2, delta: { type: "input_json_delta", partial_json: "1}" } }],
      [
        "content_block_start",
        { index: 3, content_block: { type: "tool_use", id: "t2", name: "patch", input: { input: "p" } } },
      ],
      ends("tool_use"),
      stop,
    );
    expect(read(reader(), text)).toEqual([
      { type: "started", responseId: "m1", model: "m" },
      { type: "thinking", delta: "hm", kind: "raw" },
      { type: "text", delta: "Hi" },
      { type: "tool_input", callId: "t1", name: "run", delta: '{"x":' },
      { type: "tool_input", callId: "t1", name: "run", delta: "1}" },
      {
        type: "item",
        item: { type: "reasoning", summary: [], text: "hm", sealed: { wire: "messages", data: "sig" } },
      },
      { type: "item", item: assistantText("Hi") },
      {
        type: "item",
        item: { type: "tool_call", callId: "t1", name: "run", input: { kind: "json", raw: '{"x":1}' } },
      },
      {
        type: "item",
        item: { type: "tool_call", callId: "t2", name: "patch", input: { kind: "text", raw: "p" } },
      },
      {
        type: "finished",
        stop: "tool_calls",
        usage: { input: 9, cachedInput: 4, cacheWrite: 2, output: 7, reasoning: 0 },
      },
    ]);
  });

  test("cut by the token limit keeps the half call and says so", () => {
    const text = stream(
      [
        "content_block_start",
        { index: 0, content_block: { type: "tool_use", id: "t1", name: "run", input: {} } },
      ],
      ["content_block_delta", { index: 0, delta: { partial_json: '{"x":' } }],
      ["message_delta", { delta: { stop_reason: "max_tokens" } }],
      stop,
    );
    expect(read(reader(), text).slice(1)).toEqual([
      {
        type: "item",
        item: { type: "tool_call", callId: "t1", name: "run", input: { kind: "json", raw: '{"x":' } },
      },
      { type: "finished", stop: "length", detail: "max_output_tokens" },
    ]);
  });

  test("tells calls apart that share an id or a place, and reads arguments after an empty start", () => {
    const made = (input: string): [string, Record<string, unknown>][] => [
      [
        "content_block_start",
        { index: 0, content_block: { type: "tool_use", id: "a", name: "run", input: {} } },
      ],
      ["content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: "{}" } }],
      ["content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: input } }],
    ];
    const text = stream(start, ...made('{"n":1}'), ...made('{"n":2}'), ["message_stop", {}]);
    const items = itemsOf(read(reader(), text));
    expect(items.map((item) => item.type === "tool_call" && item.input.raw)).toEqual(['{"n":1}', '{"n":2}']);
    expect(new Set(items.map((item) => item.type === "tool_call" && item.callId)).size).toBe(2);
  });

  test("refused without a word is an error", () => {
    const refused: [string, Record<string, unknown>] = [
      "message_delta",
      { delta: { stop_reason: "refusal" } },
    ];
    expect(caught(() => read(reader(), stream(start, refused, ["message_stop", {}])))?.code).toBe(
      "model.rejected",
    );
  });

  test("keeps blocks it does not know, to be sent back", () => {
    const raw = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } };
    const text = stream(["content_block_start", { index: 0, content_block: raw }], ends("end_turn"), stop);
    expect(itemsOf(read(reader(), text))).toEqual([{ type: "opaque", wire: "messages", raw }]);
    expect(messages([{ type: "opaque", wire: "messages", raw }])).toEqual([
      { role: "assistant", content: [raw] },
    ]);
  });

  const failures: [string, string, string, boolean][] = [
    ["without message_stop", stream(start, ends("end_turn")), "model.stream_cut", true],
    ["without content", stream(start, ends("end_turn"), stop), "model.empty", true],
    [
      "of an overloaded server",
      stream(start, ["error", { error: { type: "overloaded_error", message: "Overloaded" } }]),
      "model.overloaded",
      true,
    ],
    [
      "with a prompt that is too long",
      stream(["error", { error: { type: "invalid_request_error", message: "prompt is too long" } }]),
      "model.context_window",
      false,
    ],
    [
      "that was refused",
      stream(["error", { error: { type: "invalid_request_error", message: "no" } }]),
      "model.rejected",
      false,
    ],
  ];
  for (const [name, text, code, retryable] of failures) {
    test(`${name} is ${code}`, () => {
      expect(caught(() => read(reader(), text))).toEqual({ code, retryable });
    });
  }
});

test("a whole document is read like a stream", () => {
  const content = [
    { type: "text", text: "Hi" },
    { type: "tool_use", id: "t", name: "run", input: { x: 1 } },
  ];
  expect(itemsOf(reader().whole({ id: "m", content, stop_reason: "tool_use" }))).toEqual([
    assistantText("Hi"),
    { type: "tool_call", callId: "t", name: "run", input: { kind: "json", raw: '{"x":1}' } },
  ]);
});
