import { expect, setDefaultTimeout, test } from "bun:test";
import { isRecord, type Json, recordOf } from "../../src/util/json.ts";
import { useServer } from "../support/exec.ts";
import { answers, calls, type FakeServer, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { processesWith } from "../support/processes.ts";
import { program } from "../support/run.ts";

setDefaultTimeout(60_000);

type Message = Json;

/** A client that says what it likes, as bytes, and reads only when it wants to. */
class RawClient implements AsyncDisposable {
  readonly child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly messages: Message[] = [];
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #next = 0;

  readonly home: TempHome;
  readonly #server: FakeServer;

  constructor(home: TempHome, server: FakeServer) {
    this.home = home;
    this.#server = server;
    const stdio = { stdin: "pipe", stdout: "pipe", stderr: "ignore" } as const;
    this.child = Bun.spawn([...program(), "acp"], { cwd: home.cwd, env: home.env, ...stdio });
    this.#chunks = this.child.stdout[Symbol.asyncIterator]();
  }

  async send(message: Message | string | Uint8Array): Promise<void> {
    const isRaw = typeof message === "string" || message instanceof Uint8Array;
    this.child.stdin.write(isRaw ? message : `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await this.child.stdin.flush();
  }

  /** Reads until there is such a message. */
  async until(isIt: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(isIt);
      if (found) return found;
      const { value, done } = await this.#chunks.next();
      if (done) throw new Error("the program has ended");
      const lines = (this.#rest + this.#decoder.decode(value, { stream: true })).split("\n");
      this.#rest = lines.pop() ?? "";
      this.messages.push(...lines.map((line) => recordOf(JSON.parse(line))));
    }
  }

  async request(method: string, params: unknown): Promise<Message> {
    const id = `r${this.#next++}`;
    await this.send({ id, method, params });
    return await this.answer(id);
  }

  answer(id: unknown): Promise<Message> {
    return this.until((message) => message["id"] === id && !("method" in message));
  }

  async open(): Promise<string> {
    await this.request("initialize", { protocolVersion: 1 });
    const { result } = await this.request("session/new", { cwd: this.home.cwd, mcpServers: [] });
    return String(recordOf(result)["sessionId"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
    await this.#server[Symbol.asyncDispose]();
    await this.home[Symbol.asyncDispose]();
  }
}

const FREE = 'sandbox_mode = "danger-full-access"\napproval_policy = "never"';

async function start(turns: Parameters<typeof startFakeServer>[0], more = FREE): Promise<RawClient> {
  const home = await tempHome();
  const server = startFakeServer(turns);
  await useServer(home, server, { more });
  return new RawClient(home, server);
}

const prompt = (sessionId: string, text = "go") => ({ sessionId, prompt: [{ type: "text", text }] });
const codeOf = ({ error }: Message) => (isRecord(error) ? error["code"] : undefined);

test("what comes before initialize, or is no message, is refused, and the next message is answered", async () => {
  await using client = await start([]);
  expect(codeOf(await client.request("session/new", { cwd: "/", mcpServers: [] }))).toBe(-32600);
  const bad = ["{", "null", "[]", "{}", '{"jsonrpc":"2.0","id":{},"method":"x"}', "\0"];
  for (const line of bad) {
    await client.send(`${line}\n`);
    const { error } = await client.answer(null);
    expect(error).toBeDefined();
    client.messages.length = 0;
  }
  const unknown = { error: { code: -32002 } };
  await client.open();
  expect(await client.request("session/prompt", prompt("nothing"))).toMatchObject(unknown);
  for (const sessionId of ["nothing", "", "../../x", "01a23205-d52b-721f-a8f2-204aa07435c8"]) {
    const place = { sessionId, cwd: client.home.cwd, mcpServers: [] };
    expect(await client.request("session/load", place)).toMatchObject({
      error: { code: -32002, message: `there is no saved session ${sessionId}` },
    });
  }
});

test("a session is loaded by its id and by nothing else, such as its title", async () => {
  await using client = await start([says("one")]);
  const sessionId = await client.open();
  await client.request("session/prompt", prompt(sessionId, "plums"));
  await client.request("session/set_title", { sessionId, title: "plums" });
  const place = { cwd: client.home.cwd, mcpServers: [] };
  expect(codeOf(await client.request("session/load", { ...place, sessionId: "plums" }))).toBe(-32002);
  expect(codeOf(await client.request("session/delete", { sessionId: "plums" }))).toBe(-32002);
  expect(await client.request("session/load", { ...place, sessionId })).toHaveProperty("result");
});

test("a message that is too long is answered as such, and costs nothing but itself", async () => {
  await using client = await start([calls("exec_command", { cmd: "sleep 0.2; echo ran" }), says("done")]);
  const sessionId = await client.open();
  await client.send({ id: "first", method: "session/prompt", params: prompt(sessionId) });
  const chunk = Buffer.alloc(1024 * 1024, "x");
  await client.send('{"jsonrpc":"2.0","id":"giant","method":"session/prompt","params":{"x":"');
  for (let i = 0; i < 40; i++) await client.send(chunk);
  await client.send('"}}\n');
  expect((await client.answer("giant"))["error"]).toEqual({
    code: -32600,
    message: "the message is longer than 32 MiB and was not read",
  });
  expect((await client.answer("first"))["result"]).toMatchObject({ stopReason: "end_turn" });
});

test("a permission that is answered in no known form is no permission, and the turn goes on", async () => {
  const odd = [
    { result: {} },
    { result: { outcome: 5 } },
    { result: null },
    { error: { code: 1, message: "no" } },
  ];
  const asks = calls("exec_command", {
    cmd: "touch it-ran",
    sandbox_permissions: "require_escalated",
    justification: "j",
  });
  await using client = await start(
    odd.flatMap(() => [asks, says("done")]),
    'sandbox_mode = "read-only"\napproval_policy = "on-request"',
  );
  const sessionId = await client.open();
  for (const [i, answer] of odd.entries()) {
    await client.send({ id: i + 1000, method: "session/prompt", params: prompt(sessionId) });
    const { id } = await client.until(({ method }) => method === "session/request_permission");
    client.messages.length = 0;
    await client.send({ id, ...answer });
    expect((await client.answer(i + 1000))["result"]).toMatchObject({ stopReason: "end_turn" });
  }
  expect(await Bun.file(`${client.home.cwd}/it-ran`).exists()).toBe(false);
});

test("a question that nobody answers does not hold up a cancel", async () => {
  const asks = { cmd: "true", sandbox_permissions: "require_escalated", justification: "j" };
  await using client = await start(
    [calls("exec_command", asks), says("here")],
    'sandbox_mode = "read-only"\napproval_policy = "on-request"',
  );
  const sessionId = await client.open();
  await client.send({ id: "p", method: "session/prompt", params: prompt(sessionId) });
  const { id } = await client.until(({ method }) => method === "session/request_permission");
  await client.send({ method: "session/cancel", params: { sessionId } });
  expect((await client.answer("p"))["result"]).toEqual({ stopReason: "cancelled" });
  // An answer that comes late is an answer to nothing.
  await client.send({ id, result: { outcome: { outcome: "selected", optionId: "allow_once" } } });
  expect((await client.request("session/prompt", prompt(sessionId)))["result"]).toMatchObject({
    stopReason: "end_turn",
  });
});

test("however many prompts and cancels come at once, each prompt is answered and nothing is left", async () => {
  const marker = `sleep 66.${process.pid}3`;
  await using client = await start(Array.from({ length: 10 }, () => calls("exec_command", { cmd: marker })));
  const sessionId = await client.open();
  for (let i = 0; i < 10; i++) {
    await client.send({ id: i + 500, method: "session/prompt", params: prompt(sessionId) });
    for (let k = 0; k < 20; k++) await client.send({ method: "session/cancel", params: { sessionId } });
  }
  for (let i = 0; i < 10; i++)
    expect((await client.answer(i + 500))["result"]).toMatchObject({ stopReason: "cancelled" });
  expect(processesWith(marker)).toEqual([]);
});

test("when its input ends while nobody reads its output, the program ends all the same", async () => {
  const marker = `sleep 67.${process.pid}4`;
  const text = "more than any pipe holds. ".repeat(100_000);
  await using client = await start([
    answers({ type: "text", text }, { type: "call", name: "exec_command", input: { cmd: marker }, id: "c" }),
  ]);
  const sessionId = await client.open();
  await client.send({ id: "p", method: "session/prompt", params: prompt(sessionId) });
  while (processesWith(marker).length === 0) await Bun.sleep(20);
  await client.child.stdin.end();
  expect(await client.child.exited).toBe(0);
  expect(processesWith(marker)).toEqual([]);
});
