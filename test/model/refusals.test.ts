import { expect, test } from "bun:test";
import { loadWire } from "../../src/model/wire.ts";
import { assistantText, type Item, userText } from "../../src/protocol/items.ts";
import { type FakeTurn, refuses, says, sends, startFakeServer } from "../support/fake-server.ts";
import { ask, endpoint, failure, itemsOf, request } from "./ask.ts";

const tools = [{ kind: "function" as const, name: "run", description: "", parameters: {} }];
const picture: Item = {
  type: "message",
  role: "user",
  content: [
    { type: "input_text", text: "look" },
    { type: "input_image", imageUrl: "data:image/png;base64,AAAA" },
  ],
};

/** The bodies of two requests of one session, the first of which meets the given refusals. */
async function bodies(refused: FakeTurn[], change: Parameters<typeof request>[0]) {
  await using server = startFakeServer([...refused, says("one"), says("two")]);
  const wire = await loadWire("chat");
  for (const text of ["one", "two"]) {
    const events = await ask(wire, endpoint(server.baseUrl), request(change));
    expect(itemsOf(events)).toEqual([assistantText(text)]);
  }
  return server.requests.map(({ body }) => JSON.stringify(body));
}

const named = (param: string, message: string) =>
  refuses(400, { error: { message, type: "invalid_request_error", param, code: "unknown_parameter" } });

test("a refused parameter is left out at once, and from later requests, too", async () => {
  const sent = await bodies([named("parallel_tool_calls", "Unknown parameter: 'parallel_tool_calls'.")], {
    tools,
  });
  expect(sent.map((body) => body.includes("parallel_tool_calls"))).toEqual([true, false, false]);
});

const WITH_CALL: Item[] = [
  userText("go"),
  { type: "tool_call", callId: "functions.run:0", name: "run", input: { kind: "json", raw: "{}" } },
  { type: "tool_result", callId: "functions.run:0", content: [{ type: "input_text", text: "ok" }], ok: true },
];

test.each([
  ["invalid message content type: <nil>"],
  ["missing field `content` at line 1 column 900"],
  ["Invalid value for 'content': expected a string, got null."],
  [[{ loc: ["body", "messages", 2, "content"], msg: "Input should be a valid string" }]],
])("calls without a text get an empty one where null is refused: %j", async (detail) => {
  const sent = await bodies([refuses(422, { detail })], { tools, items: WITH_CALL });
  expect(sent.map((body) => /"content":null/.test(body))).toEqual([true, false, false]);
  expect(sent.map((body) => /"content":""/.test(body))).toEqual([false, true, true]);
});

test.each([
  ["System role not supported"],
  ["Developer instruction is not enabled for models/x"],
  ["Only user and assistant roles are supported!"],
])("instructions go into the first message of the user where there is no such role: %s", async (message) => {
  const sent = await bodies([refuses(400, { error: { message } })], { instructions: "Be brief." });
  expect(sent.map((body) => body.includes('"role":"system"'))).toEqual([true, false, false]);
  expect(sent.every((body) => body.includes("Be brief."))).toBe(true);
});

test.each([
  ["Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9.", /^[a-zA-Z0-9]{9}$/],
  ["tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", /^[\w-]+$/],
])("calls get other ids where theirs are refused: %s", async (message, wanted) => {
  const sent = await bodies([refuses(400, { error: { message } })], { tools, items: WITH_CALL });
  const ids = sent.map((body) => /"tool_call_id":"([^"]*)"/.exec(body)?.[1] ?? "");
  expect(ids.map((id) => wanted.test(id))).toEqual([false, true, true]);
});

test.each([
  [
    `Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
  ],
  ["Unsupported JSON schema fields: {'maximum'}"],
  ["tools.function.parameters is not a valid moonshot flavored json schema"],
])("tools get simple schemas where theirs are refused: %s", async (message) => {
  const parameters = {
    type: "object",
    properties: { n: { type: ["integer", "null"], maximum: 5 } },
    additionalProperties: false,
  };
  const strict = [{ kind: "function" as const, name: "run", description: "", parameters, strict: false }];
  const sent = await bodies([refuses(400, { error: { message, param: "tools" } })], { tools: strict });
  expect(sent.map((body) => /additionalProperties|maximum|strict/.test(body))).toEqual([true, false, false]);
  expect(sent.every((body) => body.includes('"name":"run"'))).toBe(true);
});

test("thoughts that a server does not know in a history are left out", async () => {
  const items: Item[] = [
    userText("go"),
    { type: "reasoning", summary: [], text: "hm" },
    {
      type: "tool_call",
      callId: "a",
      name: "run",
      input: { kind: "json", raw: "{}" },
      sealed: { wire: "chat", data: '{"x":1}' },
    },
    { type: "tool_result", callId: "a", content: [{ type: "input_text", text: "ok" }], ok: true },
  ];
  const message = "'messages.2' : [('messages.2' : property 'reasoning_content' is unsupported)]";
  const sent = await bodies([refuses(400, { error: { message, type: "invalid_request_error" } })], {
    tools,
    items,
  });
  expect(sent.map((body) => /reasoning_content|extra_content/.test(body))).toEqual([true, false, false]);
});

test("several refused parameters are left out one after the other", async () => {
  const refused = [
    refuses(422, {
      detail: [
        {
          type: "extra_forbidden",
          loc: ["body", "stream_options"],
          msg: "Extra inputs are not permitted",
        },
      ],
    }),
    refuses(400, { error: "parallel_tool_calls is not supported by this model" }),
  ];
  const sent = await bodies(refused, { tools });
  expect(sent.map((body) => [body.includes("stream_options"), body.includes("parallel_tool_calls")])).toEqual(
    [
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ],
  );
});

test("the output limit gets its other name before it is left out", async () => {
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const sent = await bodies([named("max_tokens", message)], { maxOutputTokens: 9 });
  expect(sent.map((body) => /"(max_\w*tokens)":9/.exec(body)?.[1])).toEqual([
    "max_tokens",
    "max_completion_tokens",
    "max_completion_tokens",
  ]);
});

test("refused images are replaced by a note", async () => {
  for (const message of [
    "this model does not support image input",
    "unknown variant `image_url`, expected `text`",
  ]) {
    const sent = await bodies([refuses(400, { error: { message } })], { items: [picture] });
    expect(sent.map((body) => [body.includes("image_url"), body.includes("image left out")])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  }
});

test("a template that insists on turns gets them", async () => {
  const message = "Conversation roles must alternate user/assistant/user/assistant/...";
  const sent = await bodies([refuses(500, { error: { message } })], {
    items: [userText("a"), userText("b")],
  });
  expect(sent.map((body) => body.includes("a\\n\\nb"))).toEqual([false, true, true]);
});

test("a refusal that names nothing we sent is an error", async () => {
  await using server = startFakeServer([named("top_k", "Unknown parameter: 'top_k'.")]);
  const { code } = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl), request({ tools })));
  expect([code, server.requests.length]).toEqual(["model.rejected", 1]);
});

test("what one server refuses is still sent to another", async () => {
  await using first = startFakeServer([
    named("stream_options", "Unknown parameter: 'stream_options'."),
    says("one"),
  ]);
  await using second = startFakeServer([says("two")]);
  const wire = await loadWire("chat");
  await ask(wire, endpoint(first.baseUrl));
  await ask(wire, endpoint(second.baseUrl));
  expect(JSON.stringify(second.requests[0]?.body)).toContain("stream_options");
});

const closing = (trailer: string) =>
  sends([
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "all" }, finish_reason: null }] })}\n\n`,
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`,
    trailer,
  ]);

test("a stream that ends without its end mark counts as cut once, then as the habit of the server", async () => {
  await using server = startFakeServer([closing(""), closing(""), closing("")]);
  const wire = await loadWire("chat");
  const to = endpoint(server.baseUrl);
  expect(await failure(ask(wire, to))).toMatchObject({ code: "model.stream_cut", retryable: true });
  expect(itemsOf(await ask(wire, to))).toEqual([assistantText("all")]);
  expect(itemsOf(await ask(wire, to))).toEqual([assistantText("all")]);
});

test("a stream that ends with its usage needs no end mark", async () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  await using server = startFakeServer([closing(`data: ${JSON.stringify({ choices: [], usage })}\n\n`)]);
  expect(itemsOf(await ask(await loadWire("chat"), endpoint(server.baseUrl)))).toEqual([
    assistantText("all"),
  ]);
});

const TOO_LARGE = [
  "'max_tokens' or 'max_completion_tokens' is too large: 64000. This model's maximum context length is 32768 tokens and your request has 40 input tokens.",
  "This model's maximum context length is 32768 tokens. However, you requested 64040 tokens (40 in the messages, 64000 in the completion). Please reduce the length.",
  "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
];
for (const message of TOO_LARGE) {
  test(`a limit for answers that the server can't give is left out: ${message.slice(0, 40)}`, async () => {
    const sent = await bodies([refuses(400, { error: { message } })], { extraBody: { max_tokens: 64000 } });
    expect(sent.map((body) => body.includes("max_tokens"))).toEqual([true, false, false]);
  });
}

test("a prompt that does not fit is not a matter of the limit for answers", async () => {
  const message = "This model's maximum context length is 32768 tokens, your messages have 40000.";
  await using server = startFakeServer([refuses(400, { error: { message } }), says("never")]);
  const wire = await loadWire("chat");
  const asked = ask(wire, endpoint(server.baseUrl), request({ extraBody: { max_tokens: 64000 } }));
  expect((await failure(asked)).code).toBe("model.context_window");
});
