import { expect, setDefaultTimeout, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import {
  type CreateTerminalRequest,
  RequestError,
  type TerminalExitStatus,
  type TerminalOutputResponse,
} from "@agentclientprotocol/sdk/unstable";
import { ClientTerminals } from "../../../src/frontends/acp/client-terminals.ts";
import { gone } from "../../tools/shell/support.ts";
import { EditorTerminals } from "./editor-terminals.ts";

setDefaultTimeout(30_000);
const cwd = await realpath(tmpdir());
const never = new Promise<never>(() => {});

/** A client with real terminals, of which each answer can be replaced. */
class FakeClient {
  readonly terminals = new EditorTerminals();
  readonly notices: string[] = [];
  readonly shown: [string, string | undefined][] = [];
  create = async (request: CreateTerminalRequest) => this.terminals.open(request);
  exit = (id: string): Promise<TerminalExitStatus> => this.terminals.exit(id);
  output = async (id: string): Promise<TerminalOutputResponse> => this.terminals.output(id);
  kill = async (id: string): Promise<void> => this.terminals.kill(id);
  release = async (id: string): Promise<void> => this.terminals.release(id);

  createTerminal = (request: CreateTerminalRequest) => this.create(request);
  terminalExit = ({ terminalId }: { terminalId: string }) => this.exit(terminalId);
  terminalOutput = ({ terminalId }: { terminalId: string }) => this.output(terminalId);
  killTerminal = ({ terminalId }: { terminalId: string }) => this.kill(terminalId);
  releaseTerminal = ({ terminalId }: { terminalId: string }) => this.release(terminalId);
  notice = (_: string, __: string, text: string) => void this.notices.push(text);
  runsIn = (callId: string, terminalId: string | undefined) => void this.shown.push([callId, terminalId]);

  host(patienceMs = 20_000): ClientTerminals {
    return new ClientTerminals({ client: this, sessionId: "s", calls: this, patienceMs });
  }
}

function spec(script: string) {
  return { argv: ["/bin/sh", "-c", script], cwd, env: { PATH: "/usr/bin:/bin" }, callId: "call" };
}

async function start(client: FakeClient, script: string, signal = new AbortController().signal) {
  const started = await client.host().start(spec(script), signal);
  if (started === undefined || "problem" in started) throw new Error(`not started: ${started?.problem}`);
  let text = "";
  started.listen((more) => {
    text += more;
  });
  return { command: started, text: () => text };
}

test("a command runs in a terminal that is shown before and released after", async () => {
  const client = new FakeClient();
  const { command, text } = await start(client, "echo out; echo err >&2; exit 3");
  expect(await command.ended).toBe(3);
  expect(text().split("\n").toSorted()).toEqual(["", "err", "out"]);
  expect(client.shown).toEqual([["call", "terminal-1"]]);
  expect(client.terminals.asked.at(-1)).toBe("release terminal-1");
  expect(client.terminals.leftOpen).toBe(0);
});

test("a command that a signal ends has the exit code of that signal", async () => {
  const client = new FakeClient();
  const { command } = await start(client, "kill -TERM $$");
  expect(await command.ended).toBe(143);
});

test("what is killed ends with its children, also where the client ends only the process", async () => {
  const client = new FakeClient();
  const { command, text } = await start(client, "sleep 300 & echo $!; wait");
  for (; !text().includes("\n"); await Bun.sleep(5)) await command.catchUp();
  await command.kill();
  expect(await command.ended).toBeGreaterThan(128);
  await gone(Number(text().trim()));
  expect(client.terminals.asked.filter((line) => !line.startsWith("output"))).toEqual([
    "kill terminal-1",
    "release terminal-1",
  ]);
});

test("a client that says nothing more holds up no end", async () => {
  const client = new FakeClient();
  const { command } = await start(client, "sleep 300");
  client.kill = () => never;
  client.output = () => never;
  client.release = () => never;
  const silent = await start(
    Object.assign(new FakeClient(), { exit: () => never, output: () => never }),
    "sleep 300",
  );
  await Promise.all([command.kill(), silent.command.kill()]);
  expect(await command.ended).toBeGreaterThan(128);
  expect(await silent.command.ended).toBe(137);
});

test("an end that only the output tells is an end", async () => {
  const client = new FakeClient();
  client.exit = () => Promise.reject(new Error("no such method"));
  const nothing = { exitCode: null, signal: null };
  const statuses = [nothing, nothing];
  client.output = async (id) => ({
    ...client.terminals.output(id),
    exitStatus: statuses.pop() ?? { exitCode: 5 },
  });
  const { command } = await start(client, "exit 5");
  expect(await command.ended).toBe(5);
});

test("a client without an answer about the end or the output has lost the command, which is ended", async () => {
  const client = new FakeClient();
  client.exit = () => Promise.reject(new Error("gone"));
  client.output = () => Promise.reject(new Error("gone"));
  const { command, text } = await start(client, "sleep 300");
  const { pid } = command;
  expect(await command.ended).toBe(137);
  expect(text()).toContain("the editor's terminal was lost");
  await gone(pid);
});

test("a client that can't open a terminal leaves the command to us, and that is told once", async () => {
  const client = new FakeClient();
  client.create = () => Promise.reject(RequestError.internalError({ details: "no more terminals" }));
  const host = client.host();
  const { signal } = new AbortController();
  expect([await host.start(spec("true"), signal), await host.start(spec("true"), signal)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(client.notices).toEqual([
    'The editor could not open a terminal (Internal error: {"details":"no more terminals"}), so commands run without its terminals.',
  ]);
});

test("a client that says no is obeyed: the command does not run here either", async () => {
  const client = new FakeClient();
  client.create = () =>
    Promise.reject(RequestError.internalError({ details: "Permission denied for terminal/create" }));
  expect(await client.host().start(spec("true"), new AbortController().signal)).toEqual({
    problem:
      'the editor refused to run the command: Internal error: {"details":"Permission denied for terminal/create"}',
  });
});

test("a terminal somewhere else, where the command can't be, is closed, and the command is ours", async () => {
  const client = new FakeClient();
  client.create = async (request) => client.terminals.open({ ...request, command: "/bin/true", args: [] });
  const host = client.host();
  const { signal } = new AbortController();
  expect(await host.start(spec("true"), signal)).toBeUndefined();
  expect(client.shown).toEqual([
    ["call", "terminal-1"],
    ["call", undefined],
  ]);
  expect(client.terminals.leftOpen).toBe(0);
  // It would be the same again.
  expect(await host.start(spec("true"), signal)).toBeUndefined();
  expect(client.shown).toHaveLength(2);
  expect(client.notices).toHaveLength(1);
});

test("a client that does not answer is waited for once, and the command that it never began is not run", async () => {
  const client = new FakeClient();
  client.create = () => never;
  const host = client.host(1);
  const { signal } = new AbortController();
  expect(await host.start(spec("true"), signal)).toEqual({
    problem: "the editor did not start the command in time, or was told not to",
  });
  expect(await host.start(spec("true"), signal)).toBeUndefined();
  expect(client.notices).toEqual([
    "The editor does not answer in its terminals, so commands run without its terminals.",
  ]);
});

test("a terminal that is opened too late is closed, and the command in it does not begin", async () => {
  const client = new FakeClient();
  const opening = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  client.create = async (request) => {
    await opening.promise;
    return client.terminals.open(request);
  };
  client.release = async (id) => {
    client.terminals.release(id);
    released.resolve();
  };
  const stop = new AbortController();
  const started = client.host().start(spec(`touch ${cwd}/began-late-${process.pid}`), stop.signal);
  stop.abort();
  expect(await started).toHaveProperty("problem");
  opening.resolve();
  await released.promise;
  expect(client.terminals.leftOpen).toBe(0);
  expect(await Bun.file(`${cwd}/began-late-${process.pid}`).exists()).toBe(false);
});
