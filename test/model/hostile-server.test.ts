import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { loadWire } from "../../src/model/wire.ts";
import { assistantText } from "../../src/protocol/items.ts";
import { ask, chatStream, endpoint, failure, itemsOf } from "./ask.ts";

type Answer = (request: Request) => Response | Promise<Response>;

function serve(answer: Answer) {
  const requests: { path: string; method: string; key: string | null }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      requests.push({ path: pathname, method: request.method, key: request.headers.get("x-api-key") });
      return await answer(request);
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return { origin, baseUrl: `${origin}/v1`, requests, [Symbol.asyncDispose]: () => server.stop(true) };
}

const WITH_KEY = { apiKey: "key-0123456789", keyHeader: "x-api-key" };
const answered = () =>
  new Response(chatStream([{ content: "hi" }], "stop"), { headers: { "content-type": "text/event-stream" } });

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect (${status}) to another server gets neither the key nor the prompt`, async () => {
    await using thief = serve(answered);
    await using server = serve(
      () => new Response(null, { status, headers: { location: `${thief.origin}/x?a=b` } }),
    );
    const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl, WITH_KEY)));
    expect(error).toMatchObject({
      code: "model.rejected",
      retryable: false,
      message: `expected an answer from ${server.baseUrl}/chat/completions, got a redirect (${status}) to ${thief.origin}/x`,
    });
    expect(thief.requests).toEqual([]);
  });
}

test("a redirect that keeps the method is followed on the same server", async () => {
  await using server = serve((request) =>
    request.url.endsWith("/")
      ? answered()
      : new Response(null, { status: 307, headers: { location: `${new URL(request.url).pathname}/` } }),
  );
  const events = await ask(await loadWire("chat"), endpoint(server.baseUrl, WITH_KEY));
  expect(itemsOf(events)).toMatchObject([assistantText("hi")]);
  expect(server.requests).toEqual([
    { path: "/v1/chat/completions", method: "POST", key: WITH_KEY.apiKey },
    { path: "/v1/chat/completions/", method: "POST", key: WITH_KEY.apiKey },
  ]);
});

for (const location of ["/v1/chat/completions", "file:///etc/passwd", "http://[", ""]) {
  test(`a redirect to "${location}" ends with a plain error, without another try`, async () => {
    await using server = serve(() => new Response(null, { status: 307, headers: { location } }));
    const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl, { maxRetries: 3 })));
    expect(error).toMatchObject({ code: "model.rejected", retryable: false });
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });
}

test("an error inside an answer does not repeat the key", async () => {
  const repeats = (request: Request) =>
    Response.json({ error: { message: `bad key ${request.headers.get("x-api-key")}` } });
  await using server = serve(repeats);
  const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl, WITH_KEY)));
  expect(error.message).toBe("stream disconnected before completion: bad key [key]");
});

test("an error does not repeat a key that travels in a header of its own", async () => {
  await using server = serve((request) =>
    Response.json({ error: { message: `no ${request.headers.get("x-token")}` } }, { status: 400 }),
  );
  const headers = { "x-token": "token-0123456789" };
  const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl, { headers })));
  expect(error.message).toBe('{"error":{"message":"no [key]"}}');
});

test("an error does not repeat a key that travels in the address", async () => {
  await using server = serve((request) =>
    Response.json({ error: { message: `no ${new URL(request.url).search}` } }, { status: 400 }),
  );
  const query = { "api-version": "2026-01-01", "api-key": "key-0123456789" };
  const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl, { query })));
  expect(error.message).toBe('{"error":{"message":"no ?api-version=2026-01-01&api-key=[key]"}}');
});

test("an error page without an end is read only so far", async () => {
  const chunk = new Uint8Array(65_536).fill(101);
  await using server = serve(
    () =>
      new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }), { status: 400 }),
  );
  const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl)));
  expect([error.code, error.message.length]).toEqual(["model.rejected", 1_501]);
});

test("a compressed answer that fills the memory is given up", async () => {
  const bomb = gzipSync(new Uint8Array(150_000_000));
  await using server = serve(
    () =>
      new Response(bomb, { headers: { "content-type": "text/event-stream", "content-encoding": "gzip" } }),
  );
  const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl)));
  expect([error.code, error.retryable]).toEqual(["model.rejected", false]);
  expect(error.message).toBe("the model's answer was given up after 100 MB");
});

test("a broken compression is told without advice for programmers", async () => {
  await using server = serve(() => new Response("no gzip", { headers: { "content-encoding": "gzip" } }));
  const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl)));
  expect([error.code, error.message.includes("verbose")]).toEqual(["model.stream_cut", false]);
});
