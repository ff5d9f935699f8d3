import { z } from "zod";
import { program } from "../../support/run.ts";

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
});
type Message = z.infer<typeof Message>;

/** The official suite speaks to servers over HTTP only: each session of it is one `mcp-server` of ours behind an address. */
export function startBridge(env: Record<string, string>, cwd: string): { url: string } & AsyncDisposable {
  const sessions = new Map<string, Session>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
      if (request.method === "DELETE") {
        await known?.end();
        return new Response(null, { status: 200 });
      }
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const message = Message.parse(await request.json());
      const session = known ?? new Session(env, cwd);
      sessions.set(session.id, session);
      return session.post(message);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.values()].map((session) => session.end()));
      await server.stop(true);
    },
  };
}

class Session {
  readonly id = crypto.randomUUID();
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #streams = new Map<string | number, (message: Message) => void>();

  constructor(env: Record<string, string>, cwd: string) {
    this.#child = Bun.spawn([...program(), "mcp-server"], {
      env,
      cwd,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    void this.#read();
  }

  /** The answer is a stream: what the server says until it has answered, and the answer. */
  post(message: Message): Response {
    const { id, method } = message;
    const headers = { "mcp-session-id": this.id };
    if (id === undefined || method === undefined) {
      this.#send(message);
      return new Response(null, { status: 202, headers });
    }
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.#streams.set(id, (said) => {
          stream.enqueue(Buffer.from(`event: message\ndata: ${JSON.stringify(said)}\n\n`));
          if (said.id !== id || said.method !== undefined) return;
          this.#streams.delete(id);
          stream.close();
        });
        this.#send(message);
      },
    });
    return new Response(body, { headers: { ...headers, "content-type": "text/event-stream" } });
  }

  async end(): Promise<void> {
    await this.#child.stdin.end();
    await this.#child.exited;
  }

  #send(message: Message): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    this.#child.stdin.flush();
  }

  async #read(): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#deliver(Message.parse(JSON.parse(line)));
    }
  }

  #deliver(message: Message): void {
    const own = message.id !== undefined && message.method === undefined && this.#streams.get(message.id);
    if (own) own(message);
    else for (const send of this.#streams.values()) send(message);
  }
}
