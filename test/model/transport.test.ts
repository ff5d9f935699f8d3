import { describe, expect, test } from "bun:test";
import { loadWire } from "../../src/model/wire.ts";
import { assistantText } from "../../src/protocol/items.ts";
import { recordOf } from "../../src/util/json.ts";
import { type FakeTurn, refuses, says, sends, startFakeServer } from "../support/fake-server.ts";
import { ask, chatStream, endpoint, failure, itemsOf, request } from "./ask.ts";

const DONE = [assistantText("all done")];
const PAGE = "<!doctype html><html><body>Sign in</body></html>";

/** What the chat wire makes of this script, and how often it asked. */
async function play(turns: FakeTurn[], change: Parameters<typeof endpoint>[1] = {}) {
  await using server = startFakeServer(turns);
  const events = await ask(await loadWire("chat"), endpoint(server.baseUrl, change));
  return { items: itemsOf(events), requests: server.requests.length };
}

async function playFailing(turns: FakeTurn[], change: Parameters<typeof endpoint>[1] = {}) {
  await using server = startFakeServer(turns);
  const error = await failure(ask(await loadWire("chat"), endpoint(server.baseUrl, change)));
  return { ...error, requests: server.requests.length };
}

describe("a request", () => {
  for (const wire of ["responses", "chat", "messages"] as const) {
    test(`goes to the ${wire} path with our headers and nothing about the client`, async () => {
      await using server = startFakeServer([says("all done")]);
      const to = endpoint(`${server.baseUrl}/`, {
        apiKey: "k",
        headers: { "User-Agent": "interpreter/1", "X-Gone": "1" },
        query: { version: "2" },
      });
      const events = await ask(
        await loadWire(wire),
        to,
        request({ extraHeaders: { "x-gone": null, "x-own": "2" } }),
      );
      expect(itemsOf(events)).toMatchObject(DONE);
      const [sent] = server.requests;
      const names = Object.keys(sent?.headers ?? {}).filter(
        (name) => !/^(accept-encoding|connection|host)$/.test(name),
      );
      const paths = { responses: "/v1/responses", chat: "/v1/chat/completions", messages: "/v1/messages" };
      expect([sent?.path, sent?.query, sent?.headers["authorization"], sent?.headers["user-agent"]]).toEqual([
        paths[wire],
        "?version=2",
        "Bearer k",
        "interpreter/1",
      ]);
      const own = wire === "messages" ? ["anthropic-version"] : [];
      expect(names.sort()).toEqual(
        ["accept", "authorization", "content-length", "content-type", "user-agent", "x-own", ...own].sort(),
      );
    });
  }

  test("sends the key in the header that the endpoint names, and none without a key", async () => {
    await using server = startFakeServer([says("a"), says("b")]);
    const wire = await loadWire("messages");
    await ask(wire, endpoint(server.baseUrl, { apiKey: "k", keyHeader: "x-api-key" }));
    await ask(wire, endpoint(server.baseUrl));
    const keys = server.requests.map(({ headers }) => [headers["x-api-key"], headers["authorization"]]);
    expect(keys).toEqual([
      ["k", undefined],
      [undefined, undefined],
    ]);
  });

  test("puts /v1 before messages when the base URL has none", async () => {
    await using server = startFakeServer([says("a")]);
    await ask(await loadWire("messages"), endpoint(server.baseUrl.replace("/v1", "/anthropic/")));
    expect(server.requests[0]?.path).toBe("/anthropic/v1/messages");
  });

  test("takes, changes and loses body keys as the harness says", async () => {
    await using server = startFakeServer([says("a")]);
    const extraBody = { temperature: 0.5, stream_options: null, model: "other" };
    await ask(await loadWire("chat"), endpoint(server.baseUrl), request({ extraBody }));
    expect(server.requests[0]?.body).toEqual({
      model: "other",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "go" },
      ],
      stream: true,
      temperature: 0.5,
    });
  });
});

test("what a harness says of the choice of tools goes only into requests that have some", async () => {
  const extraBody = { tool_choice: "auto", parallel_tool_calls: null, top_p: 0.9 };
  const tool = { kind: "function", name: "a", description: "A.", parameters: { type: "object" } } as const;
  const keys: string[][] = [];
  for (const tools of [[{ ...tool, strict: false }], []]) {
    await using server = startFakeServer([says("a")]);
    await ask(await loadWire("chat"), endpoint(server.baseUrl), request({ extraBody, tools }));
    keys.push(Object.keys(recordOf(server.requests[0]?.body)).sort());
  }
  expect(keys).toEqual([
    ["messages", "model", "stream", "stream_options", "tool_choice", "tools", "top_p"],
    ["messages", "model", "stream", "stream_options", "top_p"],
  ]);
});

describe("a failing server", () => {
  test("is asked again without a word after 5xx, as often as the endpoint allows", async () => {
    expect(
      await play([refuses(500, "oops"), refuses(502, "oops"), says("all done")], { maxRetries: 2 }),
    ).toEqual({
      items: DONE,
      requests: 3,
    });
    const { code, requests } = await playFailing([refuses(500, "oops"), refuses(500, "oops")], {
      maxRetries: 1,
    });
    expect([code, requests]).toEqual(["model.overloaded", 2]);
  });

  test("is not asked again after 429 or 401", async () => {
    const limited = await playFailing([refuses(429, "slow")], { maxRetries: 3 });
    const unknown = await playFailing([refuses(401, "who?")], { maxRetries: 3 });
    expect([limited.code, limited.requests, unknown.code, unknown.requests]).toEqual([
      "model.rate_limited",
      1,
      "auth",
      1,
    ]);
  });

  test("that wants a long wait is left to the caller, who can tell the user", async () => {
    const turn = refuses(503, "busy", { "retry-after": "60" });
    const { code, retryAfterMs, requests } = await playFailing([turn], { maxRetries: 3 });
    expect([code, retryAfterMs, requests]).toEqual(["model.overloaded", 60_000, 1]);
  });

  test("whose address or key can't be sent is a matter of configuration", async () => {
    const wire = await loadWire("chat");
    const noUrl = await failure(ask(wire, endpoint("not a url")));
    const noKey = await failure(ask(wire, endpoint("http://127.0.0.1:1/v1", { apiKey: "two\nlines" })));
    expect([noUrl.code, noKey.code, noKey.message]).toEqual([
      "config",
      "config",
      'the header "authorization" holds characters that HTTP does not allow',
    ]);
  });

  test("that nobody runs is unreachable", async () => {
    const { code, retryable } = await failure(ask(await loadWire("chat"), endpoint("http://127.0.0.1:1/v1")));
    expect([code, retryable]).toEqual(["model.unreachable", false]);
  });
});

describe("an answer", () => {
  const chunks = [chatStream([{ content: "all done" }], "stop")];

  test("with a byte order mark is read", async () => {
    const bom = new Uint8Array([0xef, 0xbb, 0xbf]);
    expect((await play([sends([bom, ...chunks])])).items).toEqual(DONE);
  });

  test("whose characters are cut by the network is read", async () => {
    const bytes = new TextEncoder().encode(chatStream([{ content: "日本語 🌍" }], "stop"));
    const pieces = Array.from(bytes, (byte) => new Uint8Array([byte]));
    expect((await play([sends(pieces)])).items).toEqual([assistantText("日本語 🌍")]);
  });

  test("that is not JSON in some events is read without them", async () => {
    expect((await play([sends(["data: <noise>\n\n", ...chunks])])).items).toEqual(DONE);
  });

  test("in one JSON document is read", async () => {
    const document = { choices: [{ message: { content: "all done" }, finish_reason: "stop" }] };
    const turn = sends([`\n ${JSON.stringify(document)}`], { contentType: "application/json" });
    expect((await play([turn])).items).toEqual(DONE);
  });

  test("that is a page is an error which does not show it", async () => {
    const { code, message, requests } = await playFailing([sends([PAGE], { contentType: "text/html" })], {
      maxRetries: 3,
    });
    expect([code, requests, message.includes("HTML page (text/html)"), message.includes("Sign in")]).toEqual([
      "model.rejected",
      1,
      true,
      false,
    ]);
  });

  test("in half a JSON document may come whole next time", async () => {
    const { code, retryable } = await playFailing([sends(['{"choices": ['])]);
    expect([code, retryable]).toEqual(["model.stream_cut", true]);
  });

  for (const end of ["close", "cut"] as const) {
    test(`that breaks off by ${end} is cut`, async () => {
      const half = 'data: {"choices":[{"delta":{"content":"par"}}]}\n\n';
      const { code, retryable, message } = await playFailing([sends([half], { end })]);
      expect([code, retryable]).toEqual(["model.stream_cut", true]);
      expect(message).toStartWith("stream disconnected before completion: ");
    });
  }

  test("that falls silent is cut", async () => {
    const half = 'data: {"choices":[{"delta":{"content":"par"}}]}\n\n';
    const { code, message } = await playFailing([sends([half], { end: "hang" })], { idleTimeoutMs: 100 });
    expect(code).toBe("model.stream_cut");
    expect(message).toMatch(
      /^stream disconnected before completion: nothing came from the server for [\d.]+ s$/,
    );
  });

  test("that never begins is cut", async () => {
    expect((await playFailing([sends([], { end: "hang" })], { idleTimeoutMs: 20 })).code).toBe(
      "model.stream_cut",
    );
  });

  test("that was over before the connection falls silent is whole", async () => {
    const [whole = ""] = chunks;
    const turn = sends([whole.replace("data: [DONE]\n\n", "")], { end: "hang" });
    expect((await play([turn], { idleTimeoutMs: 3000 })).items).toEqual(DONE);
  });
});

describe("an interrupt", () => {
  test("before the answer ends the wait for it", async () => {
    await using server = startFakeServer([sends([], { end: "hang" })]);
    const controller = new AbortController();
    const answer = failure(
      ask(await loadWire("chat"), endpoint(server.baseUrl), request(), controller.signal),
    );
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await answer).code).toBe("aborted");
  });

  test("within the answer ends it", async () => {
    const half = 'data: {"choices":[{"delta":{"content":"par"}}]}\n\n';
    await using server = startFakeServer([sends([half], { end: "hang" })]);
    const controller = new AbortController();
    const answer = (async () => {
      const wire = await loadWire("chat");
      for await (const event of wire.stream(request(), endpoint(server.baseUrl), controller.signal)) {
        if (event.type === "text") controller.abort();
      }
      return [];
    })();
    expect((await failure(answer)).code).toBe("aborted");
  });

  test("between two tries ends the wait for the next", async () => {
    await using server = startFakeServer([refuses(503, "busy", { "retry-after": "9" })]);
    const controller = new AbortController();
    const to = endpoint(server.baseUrl, { maxRetries: 3 });
    const answer = failure(ask(await loadWire("chat"), to, request(), controller.signal));
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await answer).code).toBe("aborted");
  });
});

test("proxy variables do not catch addresses of this machine", async () => {
  await using server = startFakeServer([says("all done")]);
  const code = `
    const { loadWire } = await import(${JSON.stringify(import.meta.resolve("../../src/model/wire.ts"))});
    const { ask, endpoint, itemsOf } = await import(${JSON.stringify(import.meta.resolve("./ask.ts"))});
    console.log(JSON.stringify(itemsOf(await ask(await loadWire("chat"), endpoint("${server.baseUrl}")))));
  `;
  const proxy = "http://127.0.0.1:1";
  const env = {
    PATH: process.env["PATH"] ?? "",
    HTTP_PROXY: proxy,
    http_proxy: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
  };
  const child = Bun.spawn([process.execPath, "-e", code], { env, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([stdout, stderr]).toEqual([`${JSON.stringify(DONE)}\n`, ""]);
});
