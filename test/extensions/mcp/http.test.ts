import { expect, test } from "bun:test";
import { z } from "zod";
import { closedPort } from "../../support/loopback.ts";
import { callText, start } from "./support.ts";

const Message = z.looseObject({
  id: z.number().optional(),
  method: z.string(),
  params: z.looseObject({ protocolVersion: z.string().optional() }).optional(),
});
type Seen = { method: string; headers: Record<string, string>; call: string | undefined };

test("an HTTP server gets its headers on every request and its session back", async () => {
  await using server = httpServer();
  {
    await using started = await start(
      {
        t: {
          url: server.url,
          bearer_token_env_var: "TOKEN",
          http_headers: { "X-Static": "one" },
          env_http_headers: { "X-From-Env": "VALUE", "X-Absent": "NOT_SET" },
        },
      },
      { TOKEN: "secret", VALUE: "two" },
    );
    expect(await callText(started.clients, "http_tool")).toBe("over http");
  }
  const posts = server.seen.filter(({ method }) => method === "POST");
  expect(posts.map(({ call }) => call)).toEqual([
    "initialize",
    "notifications/initialized",
    "tools/list",
    "tools/call",
  ]);
  for (const { headers } of posts)
    expect(headers).toMatchObject({ authorization: "Bearer secret", "x-static": "one", "x-from-env": "two" });
  for (const { headers } of posts.slice(1))
    expect(headers).toMatchObject({ "mcp-session-id": "s1", "mcp-protocol-version": "2025-11-25" });
  expect(server.seen.map(({ method }) => method)).toContain("DELETE");
});

test("an answer may come as an event stream", async () => {
  await using server = httpServer({ stream: true });
  await using started = await start({ t: { url: server.url } });
  expect(await callText(started.clients, "http_tool")).toBe("over http");
});

test("a server that was restarted and forgot the session is greeted again, and the call is not lost", async () => {
  await using server = httpServer();
  await using started = await start({ t: { url: server.url } });
  server.forget();
  expect(await callText(started.clients, "http_tool")).toBe("over http");
});

test("a missing token, a refused one and a silent address are told apart", async () => {
  await using server = httpServer({ status: 401 });
  await using started = await start({
    unset: { url: server.url, bearer_token_env_var: "NOT_SET" },
    refused: { url: server.url },
    gone: { url: `http://127.0.0.1:${await closedPort()}/mcp` },
  });
  expect(started.warnings.toSorted()).toEqual([
    "MCP server gone could not be started: nothing answers at its address",
    "MCP server refused could not be started: it wants a valid sign-in (HTTP 401): use 'interpreter mcp login refused', or set bearer_token_env_var",
    "MCP server unset could not be started: the variable NOT_SET (bearer_token_env_var) is not set",
  ]);
});

test("a server from before streamable HTTP is reached through its own event stream", async () => {
  await using server = oldServer();
  await using started = await start({ t: { url: server.url, http_headers: { "X-Static": "one" } } });
  expect(started.warnings).toEqual([]);
  expect(await callText(started.clients, "old_tool")).toBe("over sse");
  expect(server.seen.every((header) => header === "one")).toBe(true);
});

test("a server that is said to speak the old way is spoken to in no other", async () => {
  await using server = oldServer();
  await using started = await start({ t: { url: server.url, transport: "sse" } });
  expect(await callText(started.clients, "old_tool")).toBe("over sse");
  expect(server.methods[0]).toBe("GET");
});

/** A GET opens the stream, which names the address for messages; answers come on the stream. */
function oldServer() {
  const seen: (string | null)[] = [];
  const methods: string[] = [];
  let stream: ReadableStreamDefaultController<string> | undefined;
  const say = (event: string, data: string) => stream?.enqueue(`event: ${event}\ndata: ${data}\n\n`);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      seen.push(request.headers.get("x-static"));
      methods.push(request.method);
      const { pathname } = new URL(request.url);
      if (pathname === "/sse" && request.method === "GET") {
        const body = new ReadableStream<string>({
          start(controller) {
            stream = controller;
            say("endpoint", "/messages");
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      }
      if (pathname !== "/messages") return new Response(null, { status: 405 });
      const { id, method, params } = Message.parse(await request.json());
      const results: Record<string, unknown> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "old", version: "1" },
        },
        "tools/list": { tools: [{ name: "old_tool", inputSchema: { type: "object" } }] },
        "tools/call": { content: [{ type: "text", text: "over sse" }] },
      };
      if (id !== undefined) say("message", JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
      return new Response(null, { status: 202 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/sse`,
    seen,
    methods,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function httpServer(options: { stream?: boolean; status?: number } = {}) {
  const seen: Seen[] = [];
  let session = 1;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const headers = Object.fromEntries(request.headers);
      const message = request.method === "POST" ? Message.parse(await request.json()) : undefined;
      seen.push({ method: request.method, headers, call: message?.method });
      if (options.status) return new Response(null, { status: options.status });
      if (request.method === "DELETE") return new Response(null, { status: 204 });
      if (message === undefined) return new Response(null, { status: 405 });
      const isFirst = message.method === "initialize";
      if (!isFirst && headers["mcp-session-id"] !== `s${session}`) return new Response(null, { status: 404 });
      if (message.id === undefined) return new Response(null, { status: 202 });
      const answer = { jsonrpc: "2.0", id: message.id, result: resultOf(message) };
      const own = isFirst ? { "mcp-session-id": `s${session}` } : {};
      if (!options.stream) return Response.json(answer, { headers: own });
      return new Response(`event: message\ndata: ${JSON.stringify(answer)}\n\n`, {
        headers: { ...own, "content-type": "text/event-stream" },
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    seen,
    forget: () => {
      session += 1;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function resultOf(message: z.infer<typeof Message>) {
  switch (message.method) {
    case "initialize":
      return {
        protocolVersion: message.params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "h", version: "1" },
      };
    case "tools/list":
      return { tools: [{ name: "http_tool", inputSchema: { type: "object" } }] };
    default:
      return { content: [{ type: "text", text: "over http" }] };
  }
}

test("a server that sends us to another one gets no second request there, with no header of ours", async () => {
  const seen: string[] = [];
  await using other = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(request.url);
      return new Response(null, { status: 404 });
    },
  });
  const elsewhere = `http://127.0.0.1:${other.port}/mcp`;
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(null, { status: 307, headers: { location: elsewhere } }),
  });
  const url = `http://127.0.0.1:${server.port}/mcp`;
  await using started = await start({ t: { url, http_headers: { "X-Api-Key": "secret" } } });
  expect(started.warnings).toEqual([
    `MCP server t could not be started: it sends us to ${elsewhere}; if that address is right, set url to it`,
  ]);
  expect(seen).toEqual([]);
});
