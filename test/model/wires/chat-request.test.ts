import { describe, expect, test } from "bun:test";
import type { MessageLayout, ModelRequest, Quirks } from "../../../src/model/types.ts";
import { chatBody } from "../../../src/model/wires/chat-request.ts";
import { assistantText, developerText, type Item, userText } from "../../../src/protocol/items.ts";
import { request } from "../ask.ts";

const PNG = "data:image/png;base64,AAAA";

function body(change: Partial<ModelRequest>, quirks: Quirks = {}) {
  return chatBody(request(change), { quirks, mergeRoles: false });
}

function messages(items: Item[], layout: MessageLayout = {}, quirks: Quirks = {}) {
  return body({ items, layout }, quirks)["messages"];
}

function call(callId: string, raw = "{}", name = "run"): Item {
  return { type: "tool_call", callId, name, input: { kind: "json", raw } };
}

function result(callId: string, text: string): Item {
  return { type: "tool_result", callId, content: [{ type: "input_text", text }], ok: true };
}

function thought(text: string): Item {
  return { type: "reasoning", summary: [], text };
}

function callEntry(id: string, args = "{}") {
  return { id, type: "function", function: { name: "run", arguments: args } };
}

const system = { role: "system", content: "Be brief." };
const user = (content: unknown) => ({ role: "user", content });

test("a plain request has the fewest keys", () => {
  expect(body({})).toEqual({
    model: "fake-1",
    messages: [system, user("go")],
    stream: true,
    stream_options: { include_usage: true },
  });
});

test("what a chat server has put beside its call and thought goes back to chat servers, and to no other's", () => {
  const sealed = { wire: "chat" as const, data: '[{"type":"reasoning.text","text":"hm"}]' };
  const extra = { wire: "chat" as const, data: '{"google":{"thought_signature":"S"}}' };
  const foreign = { wire: "messages" as const, data: "x" };
  const sent = (...seals: ({ wire: "chat" | "messages"; data: string } | undefined)[]) =>
    messages([
      { type: "reasoning", summary: [], text: "hm", sealed: seals[0] },
      { type: "tool_call", callId: "a", name: "run", input: { kind: "json", raw: "{}" }, sealed: seals[1] },
      result("a", "ok"),
    ]);
  expect(sent(sealed, extra)).toContainEqual({
    role: "assistant",
    content: null,
    reasoning_content: "hm",
    reasoning_details: [{ type: "reasoning.text", text: "hm" }],
    tool_calls: [{ ...callEntry("a"), extra_content: { google: { thought_signature: "S" } } }],
  });
  expect(sent(foreign, foreign)).toContainEqual({
    role: "assistant",
    content: null,
    reasoning_content: "hm",
    tool_calls: [callEntry("a")],
  });
});

test("tools, limits, schema and verbosity are added when asked for", () => {
  const schema = { type: "object" };
  const parameters = { type: "object", properties: {} };
  expect(
    body({
      tools: [
        { kind: "function", name: "run", description: "Runs.", parameters, strict: false },
        { kind: "freeform", name: "patch", description: "Patches." },
      ],
      maxOutputTokens: 100,
      outputSchema: schema,
      verbosity: "low",
    }),
  ).toMatchObject({
    tools: [
      { type: "function", function: { name: "run", description: "Runs.", parameters, strict: false } },
      {
        type: "function",
        function: {
          name: "patch",
          description: "Patches.",
          parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
        },
      },
    ],
    parallel_tool_calls: true,
    max_tokens: 100,
    response_format: {
      type: "json_schema",
      json_schema: { name: "codex_output_schema", schema, strict: true },
    },
    verbosity: "low",
  });
});

test("the effort is sent in the way the provider knows, or not at all", () => {
  const sent = (quirks: Quirks, effort: "high" | "none" = "high") => {
    const { reasoning_effort, enable_thinking, thinking } = body({ reasoning: { effort } }, quirks);
    return { reasoning_effort, enable_thinking, thinking };
  };
  expect([
    sent({}),
    sent({ reasoningParam: "reasoning_effort" }),
    sent({ reasoningParam: "enable_thinking" }, "none"),
    sent({ reasoningParam: "thinking" }),
  ]).toEqual([
    { reasoning_effort: undefined, enable_thinking: undefined, thinking: undefined },
    { reasoning_effort: "high", enable_thinking: undefined, thinking: undefined },
    { reasoning_effort: undefined, enable_thinking: false, thinking: undefined },
    { reasoning_effort: undefined, enable_thinking: undefined, thinking: { type: "enabled" } },
  ]);
});

test("quirks change names and leave keys out", () => {
  const tools = [{ kind: "function" as const, name: "run", description: "", parameters: {}, strict: true }];
  const sent = body(
    { tools, maxOutputTokens: 5 },
    {
      maxTokensField: "max_completion_tokens",
      usageInStream: false,
      parallelToolCalls: false,
      strictTools: false,
    },
  );
  expect(sent).toEqual({
    model: "fake-1",
    messages: [system, user("go")],
    tools: [{ type: "function", function: { name: "run", description: "", parameters: {} } }],
    stream: true,
    max_completion_tokens: 5,
  });
});

describe("messages", () => {
  test("begin with exactly one system message, whatever developers say later", () => {
    const items = [
      developerText("Rules."),
      userText("go"),
      assistantText("ok"),
      developerText("More."),
      userText("on"),
    ];
    expect(messages(items)).toEqual([
      { role: "system", content: "Be brief.\n\nRules." },
      user("go"),
      { role: "assistant", content: "ok" },
      user("More."),
      user("on"),
    ]);
  });

  test("keep later developer messages where the provider knows the role", () => {
    expect(messages([userText("go"), developerText("More.")], {}, { developerRole: true })).toEqual([
      system,
      user("go"),
      { role: "developer", content: "More." },
    ]);
  });

  test("put the system text where the layout wants it", () => {
    const items = [developerText("Rules."), userText("go")];
    expect([messages(items, { system: "blocks" }), messages(items, { system: "first_user" })]).toEqual([
      [
        {
          role: "system",
          content: [
            { type: "text", text: "Be brief." },
            { type: "text", text: "Rules." },
          ],
        },
        user("go"),
      ],
      [user("Be brief.\n\nRules.\n\ngo")],
    ]);
  });

  test("answer each call right after its assistant message, in the order of the calls", () => {
    const items = [
      userText("go"),
      call("a"),
      call("b"),
      userText("wait"),
      result("b", "B"),
      result("a", "A"),
    ];
    expect(messages(items)).toEqual([
      system,
      user("go"),
      { role: "assistant", content: null, tool_calls: [callEntry("a"), callEntry("b")] },
      { role: "tool", tool_call_id: "a", content: "A" },
      { role: "tool", tool_call_id: "b", content: "B" },
      user("wait"),
    ]);
  });

  test("say of a call without a result that it was aborted, and drop results without a call", () => {
    expect(messages([call("a"), result("zzz", "?"), userText("on")])).toEqual([
      system,
      { role: "assistant", content: null, tool_calls: [callEntry("a")] },
      { role: "tool", tool_call_id: "a", content: "aborted" },
      user("on"),
    ]);
  });

  test("pair calls and results by their order when every answer uses the same ids", () => {
    const items = [call("c"), result("c", "one"), call("c"), result("c", "two")];
    const assistant = { role: "assistant", content: null, tool_calls: [callEntry("c")] };
    expect(messages(items)).toEqual([
      system,
      assistant,
      { role: "tool", tool_call_id: "c", content: "one" },
      assistant,
      { role: "tool", tool_call_id: "c", content: "two" },
    ]);
  });

  test("grow only at their end", () => {
    const history = [
      developerText("Rules."),
      userText("go"),
      thought("hm"),
      assistantText("I look."),
      call("a"),
      result("a", "A"),
    ];
    const whole = JSON.stringify(messages([...history, assistantText("done"), userText("next")]));
    const begin = JSON.stringify(messages(history)).slice(0, -1);
    expect(whole.startsWith(begin)).toBe(true);
  });

  test("carry the thoughts of an answer with calls, and of no other", () => {
    const items = [thought("R1"), call("a"), result("a", "A"), thought("R2"), assistantText("done")];
    expect(messages(items)).toEqual([
      system,
      { role: "assistant", content: null, reasoning_content: "R1", tool_calls: [callEntry("a")] },
      { role: "tool", tool_call_id: "a", content: "A" },
      { role: "assistant", content: "done" },
    ]);
  });

  test("carry thoughts as the layout and the provider want them", () => {
    const items = [call("a"), result("a", "A"), thought("R"), assistantText("done")];
    const reasoning = (layout: MessageLayout, quirks: Quirks = {}) =>
      JSON.stringify(messages(items, layout, quirks)).match(/"reasoning\w*":"[^"]*"/g);
    expect([
      reasoning({ keepEmptyReasoning: true }),
      reasoning({ reasoningPlaceholder: "(omitted)" }),
      reasoning({ keepEmptyReasoning: true }, { reasoningField: "reasoning" }),
    ]).toEqual([
      ['"reasoning_content":""', '"reasoning_content":"R"'],
      ['"reasoning_content":"(omitted)"'],
      ['"reasoning":""', '"reasoning":"R"'],
    ]);
  });

  test("hold text and calls of an answer together, or apart when the layout says so", () => {
    const items = [assistantText("Look."), call("a"), result("a", "A")];
    const tool = { role: "tool", tool_call_id: "a", content: "A" };
    expect([messages(items), messages(items, { mergeAssistantTextWithCalls: false })]).toEqual([
      [system, { role: "assistant", content: "Look.", tool_calls: [callEntry("a")] }, tool],
      [
        system,
        { role: "assistant", content: "Look." },
        { role: "assistant", content: null, tool_calls: [callEntry("a")] },
        tool,
      ],
    ]);
  });

  test("send arguments as valid JSON, whatever the model wrote", () => {
    const args = (raw: string, layout: MessageLayout = {}) => {
      const [match] =
        /"arguments":("(?:[^"\\]|\\.)*")/
          .exec(JSON.stringify(messages([call("a", raw)], layout)))
          ?.slice(1) ?? [];
      return JSON.parse(match ?? "null");
    };
    expect([
      args('{"b": 1, "a": 2}'),
      args('{"b": 1}', { compactArguments: true }),
      args(""),
      args('{"cmd":"echo'),
    ]).toEqual(['{"b": 1, "a": 2}', '{"b":1}', "{}", '{"invalid_json":"{\\"cmd\\":\\"echo"}']);
  });

  test("send freeform input in its one field", () => {
    const item: Item = { type: "tool_call", callId: "a", name: "run", input: { kind: "text", raw: "x\n" } };
    expect(messages([item])).toEqual([
      system,
      { role: "assistant", content: null, tool_calls: [callEntry("a", '{"input":"x\\n"}')] },
      { role: "tool", tool_call_id: "a", content: "aborted" },
    ]);
  });

  test("keep call ids, unless the layout or the provider needs others", () => {
    const id = "functions.exec_command:0";
    const ids = (layout: MessageLayout, quirks: Quirks = {}) =>
      [
        ...JSON.stringify(messages([call(id), result(id, "x")], layout, quirks)).matchAll(
          /"(?:id|tool_call_id)":"([^"]*)"/g,
        ),
      ].map((match) => match[1] ?? "");
    expect(ids({})).toEqual([id, id]);
    expect(ids({ toolCallId: "underscore" })).toEqual([
      "functions_exec_command_0",
      "functions_exec_command_0",
    ]);
    const [first, second] = ids({}, { toolCallIdPattern: "^[a-zA-Z0-9]{9}$" });
    expect(first).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(second).toBe(first ?? "");
  });

  test("send images as parts, and those of tools in a message after the last result", () => {
    const image: Item = {
      type: "tool_result",
      callId: "a",
      content: [
        { type: "input_text", text: "seen" },
        { type: "input_image", imageUrl: PNG },
      ],
      ok: true,
    };
    const picture = { type: "image_url", image_url: { url: PNG } };
    const look: Item = {
      type: "message",
      role: "user",
      content: [
        { type: "input_image", imageUrl: PNG },
        { type: "input_text", text: "look" },
      ],
    };
    expect(messages([look, call("a"), call("b"), image, result("b", "B")])).toEqual([
      system,
      user([picture, { type: "text", text: "look" }]),
      { role: "assistant", content: null, tool_calls: [callEntry("a"), callEntry("b")] },
      { role: "tool", tool_call_id: "a", content: "seen\n[the image follows in the next message]" },
      { role: "tool", tool_call_id: "b", content: "B" },
      user([picture]),
    ]);
  });

  test("name an empty output unless the layout keeps it", () => {
    const items = [call("a"), result("a", "")];
    const content = (layout: MessageLayout) =>
      /"tool_call_id":"a","content":"([^"]*)"/.exec(JSON.stringify(messages(items, layout)))?.[1];
    expect([content({}), content({ keepEmptyToolOutput: true })]).toEqual(["(no output)", ""]);
  });

  test("leave out what only other wires understand, and show a summary as the user's", () => {
    const items: Item[] = [
      { type: "compaction", summary: "So far.", replaced: 3 },
      { type: "opaque", wire: "responses", raw: { type: "web_search_call" } },
      { type: "reasoning", summary: ["s"], sealed: { wire: "responses", data: "x" } },
      assistantText(""),
      userText("go\n\n"),
    ];
    expect(messages(items, { trimUserTrailingNewlines: true })).toEqual([
      system,
      user("So far."),
      user("go"),
    ]);
  });

  test("join neighbours of one role for templates that insist on turns", () => {
    const items = [userText("a"), userText("b"), assistantText("c"), userText("d")];
    const sent = chatBody(request({ items }), { quirks: {}, mergeRoles: true });
    expect(sent["messages"]).toEqual([
      system,
      user("a\n\nb"),
      { role: "assistant", content: "c" },
      user("d"),
    ]);
  });
});

test("calls without a text have an empty one where the layout says so", () => {
  expect(messages([call("a"), result("a", "x")], { callsWithoutText: "empty" })).toEqual([
    system,
    { role: "assistant", content: "", tool_calls: [callEntry("a")] },
    { role: "tool", tool_call_id: "a", content: "x" },
  ]);
});

test("calls that stand in the text are not sent beside it, and their results are one message of the user", () => {
  const items = [
    userText("go"),
    assistantText("run a, run b"),
    call("a"),
    call("b"),
    result("a", "x"),
    result("b", ""),
  ];
  expect(messages(items, { textCalls: true })).toEqual([
    system,
    user("go"),
    { role: "assistant", content: "run a, run b" },
    user("x\n(no output)"),
  ]);
});
