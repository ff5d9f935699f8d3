import { main } from "../../../src/frontends/mcp-server/main.ts";
import { asObject, type Json } from "../../support/exec.ts";
import type { TempHome } from "../../support/home.ts";

/** A client of the server, which runs in this process: every message is seen as it goes over the wire. */
export type TestClient = AsyncDisposable & {
  messages: Json[];
  send(message: Json): void;
  /** The result of a request, or its error. */
  request(method: string, params?: Json): Promise<Json>;
  call(tool: string, input: Json, meta?: Json): Promise<Json>;
  /** The first message that fits, also when it is still to come. */
  seen(fits: (message: Json) => boolean): Promise<Json>;
  /** Messages of `codex/event`, by type. */
  events(type: string): Json[];
  /** Closes the server's input; resolves with its exit code. */
  close(): Promise<number>;
};

export async function startClient(
  home: TempHome,
  { capabilities = {}, args = [] }: { capabilities?: Json; args?: readonly string[] } = {},
): Promise<TestClient> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const input = writable.getWriter();
  const messages: Json[] = [];
  const waiting = new Set<() => void>();
  const sink = (write: (text: string) => void) => ({
    isTty: false,
    columns: 80,
    write: async (text: string) => write(text),
  });
  const done = main(args, {
    stdin: { isTty: false, stream: () => readable },
    stdout: sink((text) => {
      for (const line of text.split("\n")) if (line !== "") messages.push(asObject(JSON.parse(line)));
      for (const check of waiting) check();
    }),
    stderr: sink(() => {}),
    env: home.env,
    cwd: home.cwd,
    signal: new AbortController().signal,
  });
  let count = 0;
  const client: TestClient = {
    messages,
    send: (message) => void input.write(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)),
    async request(method, params = {}) {
      count += 1;
      const id = count;
      client.send({ id, method, params });
      const answer = await client.seen((message) => message["id"] === id && !("method" in message));
      return asObject(answer["result"] ?? answer["error"]);
    },
    call: (name, input, meta) =>
      client.request("tools/call", { name, arguments: input, ...(meta ? { _meta: meta } : {}) }),
    seen(fits) {
      const { promise, resolve } = Promise.withResolvers<Json>();
      const check = () => {
        const found = messages.find(fits);
        if (found) resolve(found);
      };
      waiting.add(check);
      check();
      return promise.finally(() => waiting.delete(check));
    },
    events: (type) => messages.map(eventOf).filter((event) => event["type"] === type),
    async close() {
      await input.close();
      return done;
    },
    async [Symbol.asyncDispose]() {
      await input.close().catch(() => undefined);
      await done;
    },
  };
  const clientInfo = { name: "test", version: "1" };
  await client.request("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo });
  client.send({ method: "notifications/initialized" });
  return client;
}

/** The message in a `codex/event`; empty for everything else. */
export function eventOf(message: Json): Json {
  return message["method"] === "codex/event" ? asObject(asObject(message["params"])["msg"]) : {};
}
