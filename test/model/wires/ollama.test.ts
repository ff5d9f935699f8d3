import { expect, test } from "bun:test";
import type { Endpoint, ModelEvent, ModelRequest } from "../../../src/model/types.ts";
import { ollamaWire } from "../../../src/model/wires/ollama.ts";
import { OllamaReader } from "../../../src/model/wires/ollama-stream.ts";
import { assistantText, type Item, userText } from "../../../src/protocol/items.ts";
import { toErrorInfo } from "../../../src/util/errors.ts";
import { startOllamaServer } from "../../support/ollama-server/server.ts";
import {
  type ChatTurn,
  calls,
  type OllamaServer,
  type ServerOptions,
  says,
} from "../../support/ollama-server/types.ts";

const SHELL = {
  kind: "function",
  name: "shell",
  description: "Runs a command.",
  parameters: { type: "object", properties: { cmd: { type: "string" } }, required: ["cmd"] },
} as const;

function endpointOf(server: OllamaServer, contextWindow = 8192): Endpoint {
  return {
    baseUrl: `${server.origin}/v1`,
    headers: {},
    query: {},
    quirks: { ollama: { contextWindow, keepAlive: "30m" } },
    idleTimeoutMs: 5_000,
    maxRetries: 4,
  };
}

function requestOf(items: readonly Item[], changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "qwen3:8b",
    instructions: "Be brief.",
    items,
    tools: [SHELL],
    parallelToolCalls: true,
    layout: {},
    extraBody: {},
    extraHeaders: {},
    ...changes,
  };
}

function serve(turns: readonly ChatTurn[], options: Partial<ServerOptions> = {}): OllamaServer {
  return startOllamaServer({
    models: [{ name: "qwen3:8b", capabilities: ["completion", "tools", "thinking"] }],
    turns,
    ...options,
  });
}

async function ask(
  server: OllamaServer,
  items: readonly Item[] = [userText("go")],
  changes: Partial<ModelRequest> = {},
): Promise<ModelEvent[]> {
  const stream = ollamaWire().stream(
    requestOf(items, changes),
    endpointOf(server),
    AbortSignal.timeout(5_000),
  );
  return await Array.fromAsync(stream);
}

async function failureOf(work: Promise<unknown>) {
  return await work.then(
    () => undefined,
    (cause: unknown) => toErrorInfo(cause),
  );
}

const itemsIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "item" ? [event.item] : []));

test("an answer becomes text, thoughts, calls and usage", async () => {
  await using server = serve([
    {
      kind: "answer",
      parts: [
        { type: "thinking", text: "first look" },
        { type: "text", text: "I look." },
        { type: "call", name: "shell", input: { cmd: "ls" } },
        { type: "call", name: "shell", input: { cmd: "pwd" } },
      ],
    },
  ]);
  const events = await ask(server);
  const items = itemsIn(events);
  expect(items.map((item) => (item.type === "tool_call" ? { ...item, callId: "" } : item))).toEqual([
    { type: "reasoning", summary: [], text: "first look" },
    assistantText("I look."),
    { type: "tool_call", callId: "", name: "shell", input: { kind: "json", raw: '{"cmd":"ls"}' } },
    { type: "tool_call", callId: "", name: "shell", input: { kind: "json", raw: '{"cmd":"pwd"}' } },
  ]);
  const [, , a, b] = items;
  expect(a?.type === "tool_call" && b?.type === "tool_call" && a.callId !== b.callId).toBe(true);
  expect(events.at(-1)).toEqual({
    type: "finished",
    stop: "tool_calls",
    usage: { input: 61, cachedInput: 0, cacheWrite: 0, output: 20, reasoning: 0 },
    speed: { firstTokenMs: 2500, tokensPerSecond: 40 },
  });
});

test("a call that the last line repeats is made once", () => {
  const reader = new OllamaReader(requestOf([userText("go")]));
  const call = (id: string, cmd: string) => ({ id, function: { name: "shell", arguments: { cmd } } });
  const line = (done: boolean, ...tool_calls: unknown[]) => ({ message: { content: "", tool_calls }, done });
  reader.take(line(false, call("c1", "a")), "");
  reader.take(line(true, call("c1", "a"), call("c1", "b"), call("c2", "a")), "");
  const made = reader.end().flatMap((event) => (event.type === "item" ? [event.item] : []));
  expect(made.map((item) => item.type === "tool_call" && item.input.raw)).toEqual([
    '{"cmd":"a"}',
    '{"cmd":"b"}',
    '{"cmd":"a"}',
  ]);
});

test("calls in the last line, and calls without ids, are read as well", async () => {
  await using server = serve([calls("shell", { cmd: "ls" })], {
    version: "0.11.4",
    models: [{ name: "qwen3:8b", calls: "last" }],
  });
  expect(itemsIn(await ask(server))).toEqual([
    {
      type: "tool_call",
      callId: expect.stringMatching(/^call_.{24}$/),
      name: "shell",
      input: { kind: "json", raw: '{"cmd":"ls"}' },
    },
  ]);
});

test("a request names the context, how long the model stays loaded, and that nothing may be cut", async () => {
  await using server = serve([says("done")]);
  await ask(server, [
    userText("go"),
    { type: "reasoning", summary: [], text: "hm" },
    { type: "tool_call", callId: "c1", name: "shell", input: { kind: "json", raw: '{"cmd":"ls"}' } },
    { type: "tool_result", callId: "c1", ok: true, content: [{ type: "input_text", text: "a.txt" }] },
  ]);
  expect(server.chats()).toEqual([
    {
      model: "qwen3:8b",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: "",
          thinking: "hm",
          tool_calls: [{ id: "c1", function: { name: "shell", arguments: { cmd: "ls" } } }],
        },
        { role: "tool", content: "a.txt", tool_call_id: "c1", tool_name: "shell" },
      ],
      tools: [
        {
          type: "function",
          function: { name: "shell", description: SHELL.description, parameters: SHELL.parameters },
        },
      ],
      stream: true,
      keep_alive: "30m",
      truncate: false,
      shift: false,
      options: { num_ctx: 8192 },
    },
  ]);
});

test("what is shown of a request is what is sent, and where to", async () => {
  await using server = serve([says("done")]);
  const items = [userText("go")];
  const shown = ollamaWire().preview(requestOf(items), endpointOf(server));
  await ask(server, items);
  expect(shown).toEqual({
    url: `${server.origin}/api/chat`,
    headers: { accept: "application/x-ndjson", "content-type": "application/json" },
    body: server.chats()[0] ?? {},
  });
});

test("a broken call of the history is sent as an object, so that the server accepts it", async () => {
  await using server = serve([says("done")]);
  await ask(server, [
    userText("go"),
    { type: "tool_call", callId: "c1", name: "shell", input: { kind: "json", raw: '{"cmd": "ls' } },
    { type: "tool_result", callId: "c1", ok: false, content: [{ type: "input_text", text: "broken" }] },
  ]);
  expect(server.chats()).toHaveLength(1);
  expect(JSON.stringify(server.chats()[0])).toContain('"arguments":{"invalid_json":"{\\"cmd\\": \\"ls"}');
});

test("pictures go as plain base64, and an address of one as a note", async () => {
  await using server = serve([says("seen")]);
  await ask(server, [
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "look" },
        { type: "input_image", imageUrl: "data:image/png;base64,iVBORw0K" },
        { type: "input_image", imageUrl: "https://example.com/a.png" },
      ],
    },
  ]);
  expect(server.chats()[0]?.["messages"]).toEqual([
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: "look\n[an image at an address was left out: this server takes only the image itself]",
      images: ["iVBORw0K"],
    },
  ]);
});

test("a model that takes no pictures gets a note in their place", async () => {
  await using server = serve([says("sorry")]);
  const quirks = { ollama: { contextWindow: 8192, keepAlive: "30m", images: false } };
  const items: Item[] = [
    {
      type: "message",
      role: "user",
      content: [{ type: "input_image", imageUrl: "data:image/png;base64,iVBORw0K" }],
    },
  ];
  const stream = ollamaWire().stream(
    requestOf(items),
    { ...endpointOf(server), quirks },
    AbortSignal.timeout(5_000),
  );
  await Array.fromAsync(stream);
  expect(JSON.stringify(server.chats()[0]?.["messages"])).toContain(
    '"content":"[image left out: this model does not take images]"}',
  );
});

test("an effort turns thinking on or off, and is a level for gpt-oss alone", async () => {
  await using server = serve([says("a"), says("b"), says("c")], {
    models: [
      { name: "qwen3:8b", capabilities: ["completion", "tools", "thinking"] },
      { name: "gpt-oss:20b", capabilities: ["completion", "tools", "thinking"] },
    ],
  });
  await ask(server, undefined, { reasoning: { effort: "high" } });
  await ask(server, undefined, { reasoning: { effort: "none" } });
  await ask(server, undefined, { model: "gpt-oss:20b", reasoning: { effort: "xhigh" } });
  expect(server.chats().map(({ think }) => think)).toEqual([true, false, "high"]);
});

test("an error line inside the stream is an error, and so is an end without the last line", async () => {
  await using server = serve([
    {
      kind: "answer",
      parts: [{ type: "text", text: "I" }],
      end: { error: "an error was encountered while running the model: EOF" },
    },
    { kind: "answer", parts: [{ type: "text", text: "I" }], end: "eof" },
    { kind: "answer", parts: [{ type: "text", text: "I" }], end: "cut" },
  ]);
  const found = [await failureOf(ask(server)), await failureOf(ask(server)), await failureOf(ask(server))];
  expect(found.map((error) => [error?.code, error?.retryable])).toEqual([
    ["model.stream_cut", true],
    ["model.stream_cut", true],
    ["model.stream_cut", true],
  ]);
  expect(found[0]?.message).toContain("an error was encountered while running the model: EOF");
});

test("silence after the answer has begun is a broken stream", async () => {
  await using server = serve([{ kind: "answer", parts: [{ type: "text", text: "I" }], end: "hang" }]);
  const endpoint = { ...endpointOf(server), idleTimeoutMs: 50 };
  const stream = ollamaWire().stream(requestOf([userText("go")]), endpoint, AbortSignal.timeout(5_000));
  expect((await failureOf(Array.fromAsync(stream)))?.message).toBe(
    "stream disconnected before completion: nothing came from the server for 0.1 s",
  );
});

test("a prompt that is too long is an overflow on every version, never a silent cut", async () => {
  const long = [userText("x".repeat(60_000))];
  for (const version of ["0.32.15", "0.24.0"]) {
    await using server = serve([says("never")], { version });
    expect((await failureOf(ask(server, long)))?.code).toBe("model.context_window");
  }
});

test("a prompt that a server has cut all the same is noticed", async () => {
  await using server = serve([says("what?")]);
  const counted = { ...endpointOf(server, 131_072) };
  const long = "many words ".repeat(3_000);
  const wire = ollamaWire();
  const events = await Array.fromAsync(
    wire.stream(
      // A harness may switch the protection off; then the server cuts as it does for other programs.
      requestOf([userText(long)], { extraBody: { truncate: true, shift: true, options: { num_ctx: 2048 } } }),
      counted,
      AbortSignal.timeout(5_000),
    ),
  );
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
  expect(notices).toEqual([
    expect.stringMatching(/^Ollama has read only 1024 tokens of about \d+ that were sent/),
  ]);
});

test("while the model loads, it is said, and the answer is waited for", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = serve([says("all done")], { load: () => gate.promise });
  const wire = ollamaWire(10);
  const kinds: string[] = [];
  for await (const event of wire.stream(
    requestOf([userText("go")]),
    endpointOf(server),
    AbortSignal.timeout(5_000),
  )) {
    kinds.push(event.type);
    if (event.type === "loading") gate.resolve();
  }
  expect(kinds).toEqual(["loading", "started", "text", "text", "item", "finished"]);
});

const REFUSALS: readonly [status: number, error: string, code: string, hint: string][] = [
  [
    500,
    "model requires more system memory (5.3 GiB) than is available (3.0 GiB)",
    "model.rejected",
    "smaller",
  ],
  [500, "llama-server reported out-of-memory during startup: cudaMalloc failed", "model.rejected", "smaller"],
  [400, "registry.ollama.ai/library/x:latest does not support tools", "model.rejected", "call tools"],
  [404, "model 'x' not found", "model.rejected", "interpreter pull qwen3:8b"],
  [502, "dial tcp: lookup ollama.com: no such host", "model.rejected", "local one"],
  [401, "unauthorized", "auth", "ollama signin"],
  [403, "ollama cloud is disabled: remote model is unavailable", "model.rejected", "local one"],
  [503, "server busy, please try again.  maximum pending requests exceeded", "model.overloaded", "busy"],
];

test("what the server refuses comes with what helps, and memory that is missing is not asked for again", async () => {
  for (const [status, error, code, hint] of REFUSALS) {
    await using server = serve([{ kind: "status", status, body: { error } }]);
    const found = await failureOf(ask(server));
    expect([found?.code, found?.retryable, found?.hint]).toEqual([
      code,
      code === "model.overloaded",
      expect.stringContaining(hint),
    ]);
    expect(server.chats()).toHaveLength(1);
  }
});

/** What asking a server ends with that is nothing like Ollama. */
async function failureAt(origin: string) {
  const there = { headers: {}, query: {}, quirks: {}, idleTimeoutMs: 5_000, maxRetries: 0 };
  const endpoint = { ...there, baseUrl: origin };
  const stream = ollamaWire().stream(requestOf([userText("go")]), endpoint, AbortSignal.timeout(5_000));
  return await failureOf(Array.fromAsync(stream));
}

test("a server that answers everything with 200 and an error of its own is not taken for a model", async () => {
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ error: "Unexpected endpoint or method. (POST /api/chat)" }),
  });
  expect((await failureAt(`http://127.0.0.1:${server.port}`))?.code).toBe("model.rejected");
});

test("a page where Ollama was looked for is said to be one, and not asked for again", async () => {
  const page = () =>
    new Response("\n<!doctype html><p>sign in", { headers: { "content-type": "text/html" } });
  await using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: page });
  const origin = `http://127.0.0.1:${server.port}`;
  expect(await failureAt(origin)).toMatchObject({
    code: "model.rejected",
    retryable: false,
    message: `expected a model's answer from ${origin}/api/chat, got an HTML page (text/html)`,
  });
});
