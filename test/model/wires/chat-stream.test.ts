import { describe, expect, test } from "bun:test";
import type { ModelEvent, WireTool } from "../../../src/model/types.ts";
import { ChatReader } from "../../../src/model/wires/chat-stream.ts";
import { assistantText, type Item, type ToolCall } from "../../../src/protocol/items.ts";
import { toAppError } from "../../../src/util/errors.ts";
import { chatStream, itemsOf, read, request } from "../ask.ts";

const TOOLS: WireTool[] = [
  { kind: "function", name: "run", description: "", parameters: {} },
  { kind: "freeform", name: "patch", description: "" },
];

function reader(): ChatReader {
  return new ChatReader(request({ tools: TOOLS }));
}

function events(deltas: readonly unknown[], finish = "stop"): ModelEvent[] {
  return read(reader(), chatStream(deltas, finish));
}

function items(deltas: readonly unknown[], finish = "stop"): Item[] {
  return itemsOf(events(deltas, finish));
}

function call(callId: string, raw: string, name = "run"): ToolCall {
  return { type: "tool_call", callId, name, input: { kind: "json", raw } };
}

function thought(text: string): Item {
  return { type: "reasoning", summary: [], text };
}

/** Pieces of tool calls, each in a delta of its own. */
function pieces(...calls: unknown[]): unknown[] {
  return calls.map((entry) => ({ tool_calls: [entry] }));
}

function code(action: () => unknown): string {
  try {
    action();
    return "no error";
  } catch (cause) {
    return toAppError(cause).code;
  }
}

test("text arrives as deltas and then as one item", () => {
  expect(events([{ role: "assistant", content: "" }, { content: "Hel" }, { content: "lo" }])).toEqual([
    { type: "started", responseId: "c1" },
    { type: "text", delta: "Hel" },
    { type: "text", delta: "lo" },
    { type: "item", item: assistantText("Hello") },
    { type: "finished", stop: "end" },
  ]);
});

test("of several answers side by side the first one counts", () => {
  const both = (content: string) => [
    { index: 1, delta: { content: "other" } },
    { index: 0, delta: { content } },
  ];
  const text = [both("one"), both(" more"), [{ index: 0, delta: {}, finish_reason: "stop" }]]
    .map((choices) => `data: ${JSON.stringify({ choices })}\n\n`)
    .join("");
  expect(itemsOf(read(reader(), text))).toEqual([assistantText("one more")]);
});

test("what a provider puts beside a call or a thought is kept, to be given back", () => {
  const extra = { google: { thought_signature: "S==" } };
  const made = { index: 0, id: "a", extra_content: extra, function: { name: "run", arguments: "{}" } };
  const details = [
    { type: "reasoning.text", index: 0, text: "hm" },
    { type: "reasoning.text", index: 0, text: "!", signature: "T" },
    { type: "reasoning.encrypted", index: 1, id: "a", data: "E" },
  ];
  const deltas = [...details.map((detail) => ({ reasoning_details: [detail] })), { tool_calls: [made] }];
  const data = [{ type: "reasoning.text", index: 0, text: "hm!", signature: "T" }, details[2]];
  expect(items(deltas)).toEqual([
    {
      type: "reasoning",
      summary: [],
      text: "hm!",
      sealed: { wire: "chat", data: JSON.stringify(data) },
    },
    { ...call("a", "{}"), sealed: { wire: "chat", data: JSON.stringify(extra) } },
  ]);
});

test("usage is found under the names and in the places that servers have for it", () => {
  const usage = { input_tokens: 7, output_tokens: 2 };
  const last = (chunk: object) =>
    `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }], ...chunk })}\n\n`;
  const text = 'data: {"choices":[{"delta":{"content":"ok"}}]}\n\n';
  for (const chunk of [{ usage }, { x_groq: { usage } }]) {
    const ending = read(reader(), text + last(chunk)).at(-1);
    expect(ending).toMatchObject({ usage: { input: 7, output: 2 } });
  }
});

test("nulls and empty choices mean nothing", () => {
  const empty = {
    role: "assistant",
    content: null,
    tool_calls: null,
    reasoning_content: null,
    refusal: null,
  };
  expect(items([empty, {}, { content: "done" }, { content: null }])).toEqual([assistantText("done")]);
});

test("usage is read where the vendors put it", () => {
  const usage = (value: unknown) => {
    const frame = `data: ${JSON.stringify({ choices: [], usage: value })}\n\n`;
    return read(
      reader(),
      `data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n${frame}`,
    ).at(-1);
  };
  const details = {
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  };
  const counted = { type: "finished", stop: "end" } as const;
  const base = { input: 9, cacheWrite: 0, output: 5 };
  expect([
    usage({ prompt_tokens: 9, completion_tokens: 5, ...details }),
    usage({ prompt_tokens: 9, completion_tokens: 5, prompt_cache_hit_tokens: 3 }),
    usage(null),
  ]).toEqual([
    { ...counted, usage: { ...base, cachedInput: 4, reasoning: 2 } },
    { ...counted, usage: { ...base, cachedInput: 3, reasoning: 0 } },
    counted,
  ]);
});

describe("thoughts", () => {
  for (const field of ["reasoning_content", "reasoning", "reasoning_text", "thinking"]) {
    test(`in ${field} become a reasoning item before the text`, () => {
      expect(events([{ [field]: "hm " }, { [field]: "so" }, { content: "yes" }]).slice(1)).toEqual([
        { type: "thinking", delta: "hm ", kind: "raw" },
        { type: "thinking", delta: "so", kind: "raw" },
        { type: "text", delta: "yes" },
        { type: "item", item: thought("hm so") },
        { type: "item", item: assistantText("yes") },
        { type: "finished", stop: "end" },
      ]);
    });
  }

  test("sent under two names count once", () => {
    expect(items([{ reasoning: "hm", reasoning_content: "hm" }, { content: "yes" }])[0]).toEqual(
      thought("hm"),
    );
  });

  test("in content parts are told from the text", () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "yes" },
    ];
    expect(items([{ content }])).toEqual([thought("hm"), assistantText("yes")]);
  });

  test("in tags are taken out, wherever the tags are cut", () => {
    const text = "<think>secret plan</think>\n\nall done";
    for (let at = 1; at < text.length; at++) {
      const cut = [{ content: text.slice(0, at) }, { content: text.slice(at) }];
      expect(items(cut)).toEqual([thought("secret plan"), assistantText("all done")]);
    }
  });

  test("opened by the chat template end at a lone closing tag", () => {
    expect(items([{ content: "plan first\n</think>\n\nall done" }])).toEqual([
      thought("plan first"),
      assistantText("all done"),
    ]);
  });

  for (const text of [
    "Wrap it in `<think>` and `</think>` tags.",
    "Close it with `</think>`\nand go on.",
    "The parser looks for <think> first.",
    "```\n</think>\n```",
  ]) {
    test(`are not seen in ${JSON.stringify(text)}`, () => {
      expect(items([{ content: text }])).toEqual([assistantText(text)]);
    });
  }
});

describe("tool calls", () => {
  test("come in fragments under an index", () => {
    const deltas = pieces(
      { index: 0, id: "a", type: "function", function: { name: "run", arguments: "" } },
      { index: 0, function: { arguments: '{"cmd":' } },
      { index: 0, function: { arguments: '"ls"}' } },
    );
    const all = events(deltas, "tool_calls");
    expect(itemsOf(all)).toEqual([call("a", '{"cmd":"ls"}')]);
    expect(all.at(-1)).toEqual({ type: "finished", stop: "tool_calls" });
  });

  test("count although the finish reason is stop", () => {
    const deltas = pieces({ index: 0, id: "a", function: { name: "run", arguments: "{}" } });
    expect(events(deltas, "stop").at(-1)).toEqual({ type: "finished", stop: "tool_calls" });
  });

  test("keep their id when later pieces have an empty one", () => {
    const deltas = pieces(
      { index: 0, id: "a", function: { name: "run", arguments: "" } },
      { index: 0, id: "", function: { name: "", arguments: '{"x":1}' } },
    );
    expect(items(deltas)).toEqual([call("a", '{"x":1}')]);
  });

  test("get their id late", () => {
    const deltas = pieces(
      { index: 0, function: { name: "run", arguments: '{"x"' } },
      { index: 0, id: "late", function: { arguments: ":1}" } },
    );
    expect(items(deltas)).toEqual([call("late", '{"x":1}')]);
  });

  test("without ids get different ones", () => {
    const deltas = pieces(
      { index: 0, function: { name: "run", arguments: '{"n":1}' } },
      { index: 1, function: { name: "run", arguments: '{"n":2}' } },
    );
    const found = items(deltas).map((item) => (item.type === "tool_call" ? item.callId : ""));
    expect(new Set(found).size).toBe(2);
    expect(found.every((id) => /^call_[0-9a-f]{24}$/.test(id))).toBe(true);
  });

  test("with the same id twice stay apart", () => {
    const deltas = pieces(
      { index: 0, id: "same", function: { name: "run", arguments: '{"n":1}' } },
      { index: 1, id: "same", function: { name: "run", arguments: '{"n":2}' } },
    );
    const found = items(deltas).map((item) => (item.type === "tool_call" ? item.input.raw : ""));
    expect(found).toEqual(['{"n":1}', '{"n":2}']);
    expect(new Set(items(deltas).map((item) => (item.type === "tool_call" ? item.callId : ""))).size).toBe(2);
  });

  test("without any index stay apart by their ids", () => {
    const deltas = pieces(
      { id: "a", function: { name: "run", arguments: "" } },
      { function: { arguments: '{"n":1}' } },
      { id: "b", function: { name: "run", arguments: "" } },
      { function: { arguments: '{"n":2}' } },
    );
    expect(items(deltas)).toEqual([call("a", '{"n":1}'), call("b", '{"n":2}')]);
  });

  test("whose head takes a used index and whose tail takes a new one stay apart", () => {
    const deltas = pieces(
      { index: 0, id: "a", function: { name: "run", arguments: '{"n":1}' } },
      { index: 0, id: "b", function: { name: "run", arguments: "" } },
      { index: 1, function: { arguments: '{"n":2}' } },
    );
    expect(items(deltas)).toEqual([call("a", '{"n":1}'), call("b", '{"n":2}')]);
  });

  test("with one index for all stay apart by their ids", () => {
    const deltas = pieces(
      { index: 0, id: "a", function: { name: "run", arguments: '{"n":1}' } },
      { index: 0, id: "b", function: { name: "run", arguments: '{"n":2}' } },
    );
    expect(items(deltas)).toEqual([call("a", '{"n":1}'), call("b", '{"n":2}')]);
  });

  test("with one index stay apart also when the first has no arguments", () => {
    const deltas = pieces(
      { index: 0, id: "a", function: { name: "run", arguments: "" } },
      { index: 0, id: "b", function: { name: "run", arguments: '{"n":2}' } },
    );
    expect(items(deltas)).toEqual([call("a", "{}"), call("b", '{"n":2}')]);
  });

  test("interleaved under their indexes are put together", () => {
    const deltas = pieces(
      { index: 0, id: "a", function: { name: "run", arguments: '{"n"' } },
      { index: 1, id: "b", function: { name: "run", arguments: '{"n"' } },
      { index: 0, function: { arguments: ":1}" } },
      { index: 1, function: { arguments: ":2}" } },
    );
    expect(items(deltas)).toEqual([call("a", '{"n":1}'), call("b", '{"n":2}')]);
  });

  const oddArguments: [string, unknown[], string][] = [
    ["an object", [{ cmd: "ls" }], '{"cmd":"ls"}'],
    ["an empty text", [""], "{}"],
    ["nothing", [], "{}"],
    ["JSON encoded twice", ['"{\\"n\\": 1}"'], '{"n": 1}'],
    ["ever longer repetitions", ['{"n"', '{"n":1', '{"n":1}', '{"n":1}'], '{"n":1}'],
    ["pieces and then the whole again", ['{"n"', ":1}", '{"n":1}'], '{"n":1}'],
    ["the whole twice", ['{"n":1}', '{"n":1}'], '{"n":1}'],
    ["pieces of which the last is JSON by chance", ['{"a": ', '"b"'], '{"a": "b"'],
    ["pieces of which the last is an object by chance", ['{"a": ', '{"b":1}'], '{"a": {"b":1}'],
    ["an empty object and then the whole", ["{}", '{"n":1}'], '{"n":1}'],
    ["a nested object that begins like the whole", ['{"a":', '{"a":1}}'], '{"a":{"a":1}}'],
    ["text that is not JSON", ["{bad"], "{bad"],
  ];
  for (const [name, fragments, raw] of oddArguments) {
    test(`take ${name} as arguments`, () => {
      const head = { index: 0, id: "a", function: { name: "run" } };
      const tail = fragments.map((args) => ({ index: 0, function: { arguments: args } }));
      expect(items(pieces(head, ...tail))).toEqual([call("a", raw)]);
    });
  }

  test("lose markup that leaked into the name", () => {
    const names = ["run<|channel|>commentary", "functions.run", "nope"].map((name) => {
      const [item] = items(pieces({ index: 0, id: "a", function: { name, arguments: "{}" } }));
      return item?.type === "tool_call" ? item.name : "";
    });
    expect(names).toEqual(["run", "run", "nope"]);
  });

  test("of freeform tools become plain text", () => {
    const args = [JSON.stringify({ input: "*** Begin\n" }), JSON.stringify({ patch: "p" }), "no json"];
    const inputs = args.map((raw) => {
      const [item] = items(pieces({ index: 0, id: "a", function: { name: "patch", arguments: raw } }));
      return item?.type === "tool_call" ? item.input : undefined;
    });
    expect(inputs).toEqual([
      { kind: "text", raw: "*** Begin\n" },
      { kind: "text", raw: "p" },
      { kind: "text", raw: "no json" },
    ]);
  });

  test("cut off by the token limit keep their half arguments", () => {
    const deltas = pieces({ index: 0, id: "a", function: { name: "run", arguments: '{"cmd":"touch ' } });
    expect(events(deltas, "length").slice(-2)).toEqual([
      { type: "item", item: call("a", '{"cmd":"touch ') },
      { type: "finished", stop: "length", detail: "max_output_tokens" },
    ]);
  });
});

describe("an answer that is not whole", () => {
  test("is cut when neither a finish reason nor the end mark came", () => {
    expect(code(() => read(reader(), 'data: {"choices":[{"delta":{"content":"par"}}]}\n\n'))).toBe(
      "model.stream_cut",
    );
  });

  test("is whole with a finish reason alone, and with the end mark alone", () => {
    const frame = (finish: string | null) =>
      `data: ${JSON.stringify({ choices: [{ delta: { content: "ok" }, finish_reason: finish }] })}\n\n`;
    expect(itemsOf(read(reader(), frame("stop")))).toEqual([assistantText("ok")]);
    expect(itemsOf(read(reader(), `${frame(null)}data: [DONE]\n\n`))).toEqual([assistantText("ok")]);
  });

  test("is an overflow when the server ended it for lack of room before it began", () => {
    expect(code(() => events([{ content: "" }], "model_context_window_exceeded"))).toBe(
      "model.context_window",
    );
  });

  test("is empty without text and calls, also when there are thoughts", () => {
    expect(code(() => events([{ content: "" }]))).toBe("model.empty");
    expect(code(() => events([{ content: " \n" }]))).toBe("model.empty");
    expect(code(() => events([{ reasoning: "hm" }]))).toBe("model.empty");
  });

  test("is refused by the filter: what was let through stays, and nothing at all is an error", () => {
    expect(code(() => events([{}], "content_filter"))).toBe("model.rejected");
    expect(events([{ content: "Well" }], "content_filter").slice(-3)).toEqual([
      {
        type: "notice",
        message: "the model's answer was stopped by a content filter or a refusal of the server",
      },
      { type: "item", item: assistantText("Well") },
      { type: "finished", stop: "refusal" },
    ]);
    expect(events([{ refusal: "No." }]).slice(-2)).toEqual([
      { type: "item", item: assistantText("No.") },
      { type: "finished", stop: "refusal" },
    ]);
  });

  test("fails with the server's error, in a chunk, a choice or a finish reason", () => {
    const failures = [
      'data: {"error":{"message":"stopped","type":"server_error"}}\n\n',
      'event: error\ndata: {"message":"stopped"}\n\n',
      'data: {"choices":[{"delta":{},"error":{"message":"stopped"}}]}\n\n',
      'data: {"choices":[{"delta":{},"finish_reason":"error"}]}\n\n',
    ];
    expect(failures.map((text) => code(() => read(reader(), text)))).toEqual(
      Array(4).fill("model.stream_cut"),
    );
  });
});

test("a whole document is read like a stream", () => {
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "k1", type: "function", function: { name: "run", arguments: '{"cmd":"x"}' } }],
  };
  const document = {
    id: "c",
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  };
  expect(reader().whole(document).slice(-2)).toEqual([
    { type: "item", item: call("k1", '{"cmd":"x"}') },
    {
      type: "finished",
      stop: "tool_calls",
      usage: { input: 3, cachedInput: 0, cacheWrite: 0, output: 2, reasoning: 0 },
    },
  ]);
});

test("a document without choices is the server's error", () => {
  expect(code(() => reader().whole({ error: "Unexpected endpoint or method. (POST /chat)" }))).toBe(
    "model.rejected",
  );
});
