import { expect, test } from "bun:test";
import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { WireApi } from "../../src/protocol/items.ts";
import { cachedModel, cachedModels, keepModels } from "../../src/providers/model-cache.ts";
import { listModels } from "../../src/providers/model-list.ts";
import { resolveProvider } from "../../src/providers/resolve.ts";
import type { Env, ProviderSettings } from "../../src/providers/settings.ts";
import { type ErrorCode, toErrorInfo } from "../../src/util/errors.ts";
import { type TempHome, tempHome } from "../support/home.ts";

const never = new AbortController().signal;
const FIRST = "2026-01-01T08:00:00.000Z";
const LATER = "2026-01-02T08:00:00.000Z";

type Handler = (request: Request) => Response | Promise<Response>;

/** A server whose answer can be changed; it remembers what it was asked. */
function startServer(first: Handler) {
  const seen: { path: string; headers: Headers }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    async fetch(request): Promise<Response> {
      const { pathname, search } = new URL(request.url);
      seen.push({ path: pathname + search, headers: request.headers });
      return await state.answer(request);
    },
  });
  const state = {
    answer: first,
    seen,
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return state;
}

type Asked = {
  settings: ProviderSettings;
  env?: Env;
  now?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
};

async function ask(home: TempHome, { settings, env = {}, now = FIRST, timeoutMs, signal = never }: Asked) {
  const values = { model_providers: { mine: { wire_api: "chat" as const, ...settings } } };
  const provider = await resolveProvider({ values, id: "mine", env, originator: "test", version: "1" });
  try {
    const options = { home: home.path, now: () => new Date(now), timeoutMs };
    const { staleBecause, ...list } = await listModels(provider, options, signal);
    return { ...list, ...(staleBecause ? { staleBecause: staleBecause.code } : {}) };
  } catch (cause) {
    const { code, message, hint } = toErrorInfo(cause);
    return { code, message, hint };
  }
}

const models = (...ids: string[]) => Response.json({ object: "list", data: ids.map((id) => ({ id })) });

test("the server's list is asked for with the key, the parameters and the headers of the provider", async () => {
  await using home = await tempHome();
  await using server = startServer(() => models("b", "a"));
  const settings = {
    base_url: `${server.url}/v1/`,
    env_key: "MINE",
    query_params: { "api-version": "2" },
    http_headers: { "X-Team": "t" },
  };
  expect(await ask(home, { settings, env: { MINE: "k" } })).toEqual({
    models: [{ id: "a" }, { id: "b" }],
    fetchedAt: FIRST,
  });
  const [request] = server.seen;
  expect([server.seen.length, request?.path]).toEqual([1, "/v1/models?api-version=2"]);
  expect([request?.headers.get("authorization"), request?.headers.get("x-team")]).toEqual(["Bearer k", "t"]);
});

const ADDRESSES: readonly [WireApi, base: string, path: string][] = [
  ["responses", "/v1", "/v1/models"],
  ["chat", "", "/models"],
  ["messages", "", "/v1/models?limit=1000"],
  ["messages", "/anthropic/v1", "/anthropic/v1/models?limit=1000"],
  ["ollama", "/v1", "/api/tags"],
];

for (const [wire_api, base, path] of ADDRESSES) {
  test(`the list of a server with the base "${base}" and the wire ${wire_api} is at ${path}`, async () => {
    await using home = await tempHome();
    await using server = startServer(() => models("a"));
    await ask(home, { settings: { base_url: server.url + base, wire_api, name: "Anthropic" } });
    expect(server.seen.map((request) => request.path)).toEqual([path]);
    expect(server.seen[0]?.headers.get("anthropic-version")).toBe("2023-06-01");
  });
}

test("nothing is asked without the key that the provider needs", async () => {
  await using home = await tempHome();
  await using server = startServer(() => models("a"));
  const settings = { base_url: server.url, env_key: "MINE" };
  expect(await ask(home, { settings })).toMatchObject({
    code: "auth",
    message: "Missing environment variable: `MINE`.",
  });
  expect(server.seen).toEqual([]);
});

test("a program's key that is refused is asked for again, once", async () => {
  await using home = await tempHome();
  await using server = startServer((request) =>
    request.headers.get("authorization") === "Bearer key-2"
      ? models("a")
      : new Response("no", { status: 401 }),
  );
  await home.write("key.sh", "echo x >> runs; echo key-$(wc -l < runs | tr -d ' ')\n");
  const auth = { command: "sh", args: ["key.sh"], cwd: home.cwd };
  const env = { PATH: process.env["PATH"] };
  expect(await ask(home, { settings: { base_url: server.url, auth }, env })).toEqual({
    models: [{ id: "a" }],
    fetchedAt: FIRST,
  });
  server.answer = () => new Response("no", { status: 401 });
  expect(await ask(home, { settings: { base_url: server.url, auth }, env })).toMatchObject({ code: "auth" });
  expect(server.seen.length).toBe(4);
});

const TROUBLES: readonly [what: string, answer: Handler, code: ErrorCode][] = [
  ["is overloaded", () => new Response("busy", { status: 503 }), "model.overloaded"],
  ["limits the rate", () => new Response("slow down", { status: 429 }), "model.rate_limited"],
  ["is too slow", () => new Promise<Response>(() => {}), "model.unreachable"],
];

for (const [what, answer, code] of TROUBLES) {
  test(`a server that ${what} is stood in for by its last list`, async () => {
    await using home = await tempHome();
    await using server = startServer(() => models("a"));
    const settings = { base_url: server.url };
    await ask(home, { settings });
    server.answer = answer;
    expect(await ask(home, { settings, now: LATER, timeoutMs: 100 })).toEqual({
      models: [{ id: "a" }],
      fetchedAt: FIRST,
      staleBecause: code,
    });
  });
}

test("a server that is gone is stood in for by its last list, and only for the same address", async () => {
  await using home = await tempHome();
  const host = { id: "mine", baseUrl: "http://127.0.0.1:1/v1" };
  const facts = { id: "a", label: "A", contextWindow: 8192, images: true, tools: false };
  await keepModels(home.path, host, { fetchedAt: FIRST, models: [facts, { id: "b" }] });
  expect(await ask(home, { settings: { base_url: host.baseUrl }, now: LATER })).toEqual({
    models: [facts, { id: "b" }],
    fetchedAt: FIRST,
    staleBecause: "model.unreachable",
  });
  expect(await ask(home, { settings: { base_url: "http://127.0.0.1:1/v2" } })).toMatchObject({
    code: "model.unreachable",
  });
});

test("a refusal is not hidden behind an earlier list", async () => {
  await using home = await tempHome();
  await using server = startServer(() => models("a"));
  const settings = { base_url: `${server.url}/v1`, env_key: "MINE" };
  const env = { MINE: "k-secret-1" };
  await ask(home, { settings, env });
  server.answer = () => new Response("bad key k-secret-1", { status: 401 });
  expect(await ask(home, { settings, env })).toEqual({
    code: "auth",
    message: `unexpected status 401 Unauthorized: bad key [key], url: ${server.url}/v1/models`,
    hint: "check the key in MINE, and that it may use this model",
  });
  server.answer = () => new Response("nothing here", { status: 404 });
  expect(await ask(home, { settings, env })).toEqual({
    code: "model.rejected",
    message: `this provider lists no models: unexpected status 404 Not Found: nothing here, url: ${server.url}/v1/models`,
    hint: "name a model of its documentation with -m; if requests fail as well, check base_url",
  });
});

const NO_LISTS: readonly [what: string, body: string, message: RegExp][] = [
  ["a page", "<html>hello</html>", /^expected a list of models from \S+\/models, found something else$/],
  [
    "an error with status 200",
    '{"error":"Unexpected endpoint or method. (GET /models)"}',
    /Unexpected endpoint/,
  ],
  ["cut JSON", '{"data":[{"id":"a"}', /found something else$/],
];

for (const [what, body, message] of NO_LISTS) {
  test(`${what} is not a list`, async () => {
    await using home = await tempHome();
    await using server = startServer(() => new Response(body));
    expect(await ask(home, { settings: { base_url: server.url } })).toMatchObject({
      code: "model.rejected",
      message: expect.stringMatching(message),
    });
  });
}

test("a list without end is given up", async () => {
  await using home = await tempHome();
  const block = new Uint8Array(1024 * 1024).fill(32);
  await using server = startServer(
    () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(block) })),
  );
  expect(await ask(home, { settings: { base_url: server.url }, timeoutMs: 60_000 })).toMatchObject({
    code: "model.rejected",
    message: `the answer of ${server.url}/models is longer than 64 MiB`,
  });
});

test("an interrupt is no failure of the server", async () => {
  await using home = await tempHome();
  const interrupt = new AbortController();
  await using server = startServer(() => {
    interrupt.abort();
    return new Promise<Response>(() => {});
  });
  const settings = { base_url: server.url };
  expect(await ask(home, { settings, signal: interrupt.signal })).toMatchObject({ code: "aborted" });
});

test("lists are kept in a private file, one for each provider", async () => {
  await using home = await tempHome();
  const file = join(home.path, "models_cache.json");
  await keepModels(home.path, { id: "a", baseUrl: "x" }, { fetchedAt: FIRST, models: [{ id: "m" }] });
  await chmod(file, 0o644);
  await keepModels(home.path, { id: "b", baseUrl: "y" }, { fetchedAt: LATER, models: [{ id: "n" }] });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(cachedModels(home.path, { id: "a", baseUrl: "x" })?.models).toEqual([{ id: "m" }]);
  expect(cachedModel(home.path, { id: "b", baseUrl: "y" }, "N")).toEqual({ id: "n" });
  expect(cachedModel(home.path, { id: "b", baseUrl: "y" }, "o")).toBeUndefined();
});

test("a damaged or odd cache counts as none, and the next list replaces it", async () => {
  await using home = await tempHome();
  const host = { id: "a", baseUrl: "x" };
  const contents = [
    "",
    "{",
    "[]",
    '{"providers":{"a":7}}',
    '{"providers":{"a":{"base_url":"x","fetched_at":"?"}}}',
  ];
  for (const content of contents) {
    await home.write("~/models_cache.json", content);
    expect(cachedModels(home.path, host)).toBeUndefined();
  }
  await keepModels(home.path, host, { fetchedAt: FIRST, models: [] });
  expect(JSON.parse(await readFile(join(home.path, "models_cache.json"), "utf8"))).toEqual({
    providers: { a: { base_url: "x", fetched_at: FIRST, models: [] } },
  });
});

test("a cache that can't be written does not matter", async () => {
  await using home = await tempHome();
  await using server = startServer(() => models("a"));
  await home.write("~/blocked", "a file");
  const blocked = { ...home, path: join(home.path, "blocked", "home") };
  expect(await ask(blocked, { settings: { base_url: server.url } })).toMatchObject({ models: [{ id: "a" }] });
});
