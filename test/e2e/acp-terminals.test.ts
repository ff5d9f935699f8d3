import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import { Editor } from "../frontends/acp/editor.ts";
import { bodyOf, useServer } from "../support/exec.ts";
import { calls, type FakeServer, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { processesWith } from "../support/processes.ts";
import { gone } from "../tools/shell/support.ts";

setDefaultTimeout(60_000);

const FREE = 'sandbox_mode = "danger-full-access"\napproval_policy = "never"';
const CONFINED = 'sandbox_mode = "workspace-write"\napproval_policy = "never"';

type Run = AsyncDisposable & { home: TempHome; server: FakeServer; editor: Editor; session: string };

/** A session of an editor with terminals, or with other abilities. */
async function start(
  turns: Parameters<typeof startFakeServer>[0],
  { more = FREE, can = { terminal: true } }: { more?: string; can?: ClientCapabilities } = {},
): Promise<Run> {
  const home = await tempHome();
  const server = startFakeServer(turns);
  await useServer(home, server, { more });
  const editor = new Editor(home);
  await editor.initialize(can);
  const { sessionId: session } = await editor.newSession();
  return {
    home,
    server,
    editor,
    session,
    async [Symbol.asyncDispose]() {
      await editor[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const runs = (cmd: string, more = {}) => calls("exec_command", { cmd, yield_time_ms: 30_000, ...more });

/** What the model read of its first call. */
function answered(server: FakeServer, index = 1): string {
  return JSON.stringify(bodyOf(server, index)["input"]);
}

test("with full access commands run in the editor's terminals, which the call shows before they are released", async () => {
  await using run = await start([runs("echo out-$((40+2)); exit 7"), says("done")]);
  const { editor, session, server } = run;
  await editor.prompt(session, "go");
  const places = editor.updates.flatMap(({ update }, at) =>
    update.sessionUpdate === "tool_call_update" && JSON.stringify(update.content ?? "").includes('"terminal"')
      ? [at]
      : [],
  );
  expect(places).toHaveLength(1);
  expect(editor.updates[places[0] ?? -1]?.update).toMatchObject({
    content: [{ type: "terminal", terminalId: "terminal-1" }],
  });
  expect(
    editor.updates.findLast(({ update }) => update.sessionUpdate === "tool_call_update")?.update,
  ).toEqual({
    sessionUpdate: "tool_call_update",
    toolCallId: editor.toolCalls(session)[0]?.id ?? "",
    rawOutput: { exit_code: 7, duration_ms: expect.any(Number) },
    status: "failed",
  });
  expect(answered(server)).toContain("Process exited with code 7");
  expect(answered(server)).toContain("out-42");
  expect(editor.terminals.asked.at(-1)).toBe("release terminal-1");
  expect(editor.terminals.leftOpen).toBe(0);
});

test("what the editor has in its environment does not reach a command, and ours reaches no command line", async () => {
  await using run = await start([runs("env; echo $PPID"), says("done")]);
  const { editor, session, server } = run;
  await editor.prompt(session, "go");
  expect(answered(server)).toContain(`INTERPRETER_SESSION_ID=${session}`);
  expect(answered(server)).not.toContain("the-editors-own-key");
  const { command, args, env } = editor.terminals.created[0] ?? {};
  expect({ command, args, env }).toEqual({
    command: "/usr/bin/env",
    args: ["-i", "/bin/sh", expect.stringMatching(/\/env-echo-PPID\.sh$/)],
    env: undefined,
  });
});

test("in a sandbox, on a terminal or with something to read, commands stay with us", async () => {
  await using confined = await start([runs("echo $((40+2))-here"), says("done")], { more: CONFINED });
  await confined.editor.prompt(confined.session, "go");
  await using run = await start([runs("echo $((40+2))-here", { tty: true }), says("done")]);
  await run.editor.prompt(run.session, "go");
  for (const { editor, server } of [confined, run]) {
    expect(editor.terminals.created).toEqual([]);
    expect(answered(server)).toContain("42-here");
  }
});

test("an editor without terminals is not asked for them", async () => {
  await using run = await start([runs("echo $((40+2))-here"), says("done")], { can: {} });
  await run.editor.prompt(run.session, "go");
  expect(run.editor.terminals.created).toEqual([]);
  expect(answered(run.server)).toContain("42-here");
});

test("a mode that is set in the middle of a session counts from the next command on", async () => {
  await using run = await start([
    runs("echo one"),
    says("done"),
    runs("echo two"),
    says("done"),
    runs("echo three"),
    says("done"),
  ]);
  const { editor, session } = run;
  const counts: number[] = [];
  for (const modeId of ["full-access", "workspace-write", "full-access"]) {
    await editor.request("session/set_mode", { sessionId: session, modeId });
    await editor.prompt(session, "go");
    counts.push(editor.terminals.created.length);
  }
  expect(counts).toEqual([1, 1, 2]);
});

test("one command that may leave the sandbox stays with us all the same", async () => {
  const escalated = { sandbox_permissions: "require_escalated", justification: "to look outside" };
  await using run = await start([runs("echo $((40+2))-here", escalated), says("done")], {
    more: 'sandbox_mode = "workspace-write"\napproval_policy = "on-request"',
  });
  await run.editor.prompt(run.session, "go");
  expect(run.editor.questions).toHaveLength(1);
  expect(run.editor.terminals.created).toEqual([]);
  expect(answered(run.server)).toContain("42-here");
});

test("a cancel ends the command in the terminal with its children, and the terminal is released", async () => {
  const marker = `sleep 63.${process.pid}5`;
  await using run = await start([runs(`${marker}; echo survived > late`), says("here")]);
  const { editor, session, home } = run;
  const prompt = editor.prompt(session, "run it");
  while (processesWith(marker).length < 2) await Bun.sleep(10);
  await editor.cancel(session);
  expect((await prompt).stopReason).toBe("cancelled");
  for (const pid of processesWith(marker)) await gone(pid);
  expect(editor.toolCalls(session).at(-1)?.statuses.at(-1)).toBe("failed");
  expect(editor.terminals.asked.filter((line) => !line.startsWith("output"))).toEqual([
    "kill terminal-1",
    "release terminal-1",
  ]);
  expect(await Bun.file(`${home.cwd}/late`).exists()).toBe(false);
  expect((await editor.prompt(session, "again")).stopReason).toBe("end_turn");
});

test("a command in the background goes on in its terminal, is read and ends there", async () => {
  await using run = await start([
    calls("exec_command", {
      cmd: "echo begun; while [ ! -e go ]; do sleep 0.05; done; echo ended",
      yield_time_ms: 250,
    }),
    says("it runs"),
    (request) => {
      const id = /session ID (\d+)/.exec(JSON.stringify(request.body))?.[1];
      return calls("write_stdin", { session_id: Number(id), chars: "", yield_time_ms: 60_000 });
    },
    says("over"),
  ]);
  const { editor, session, server, home } = run;
  await editor.prompt(session, "go");
  expect(editor.terminals.leftOpen).toBe(1);
  await home.write("go", "");
  await editor.prompt(session, "and now");
  expect(answered(server)).toContain("Process running with session ID");
  expect(answered(server, 3)).toContain("ended");
  expect(editor.toolCalls(session)[0]?.statuses).toEqual(["pending", "in_progress", "completed"]);
  expect(editor.terminals.leftOpen).toBe(0);
});

test("a session that is closed leaves no terminal and no command in it", async () => {
  const marker = `sleep 64.${process.pid}6`;
  await using run = await start([
    calls("exec_command", { cmd: marker, yield_time_ms: 250 }),
    says("it runs"),
  ]);
  const { editor, session } = run;
  await editor.prompt(session, "go");
  while (processesWith(marker).length === 0) await Bun.sleep(10);
  await editor.request("session/close", { sessionId: session });
  expect(editor.terminals.leftOpen).toBe(0);
  const script = editor.terminals.created[0]?.args?.at(-1) ?? "";
  expect(script).toMatch(/\.sh$/);
  expect(existsSync(dirname(script))).toBe(false);
  for (const pid of processesWith(marker)) await gone(pid);
});

test("when the editor goes, what runs in its terminals ends with it", async () => {
  const marker = `sleep 65.${process.pid}7`;
  await using run = await start([runs(marker)]);
  const { editor, session } = run;
  editor.prompt(session, "go").catch(() => {});
  while (processesWith(marker).length === 0 || editor.terminals.leftOpen === 0) await Bun.sleep(10);
  expect(await editor.leave()).toBe(0);
  for (const pid of processesWith(marker)) await gone(pid);
});

test("a program that is asked to end gives its terminals back first, and says how its prompt ended", async () => {
  const marker = `sleep 68.${process.pid}8`;
  await using run = await start([runs(marker)]);
  const { editor, session } = run;
  const prompt = editor.prompt(session, "go");
  while (processesWith(marker).length === 0) await Bun.sleep(10);
  await editor.end("SIGTERM");
  expect((await prompt).stopReason).toBe("cancelled");
  expect(editor.terminals.leftOpen).toBe(0);
  for (const pid of processesWith(marker)) await gone(pid);
});

test("an editor whose terminals fail is told about, and the command runs without", async () => {
  await using run = await start([runs("echo $((40+2))-here"), says("done")], {
    can: { terminal: true, session: { notices: {} } },
  });
  const { editor, session, server } = run;
  editor.terminals.onCreate = () => Promise.reject(new Error("out of terminals"));
  await editor.prompt(session, "go");
  expect(answered(server)).toContain("42-here");
  expect(editor.of(session, "notice")).toEqual([
    {
      sessionUpdate: "notice",
      severity: "warning",
      title: expect.stringContaining("The editor could not open a terminal (Internal error"),
    },
  ]);
});

test("a harness with tools of its own uses the terminals too", async () => {
  await using run = await start(
    [calls("Bash", { command: "echo $((40+2))-there", description: "x" }), says("done")],
    {
      more: `${FREE}\nharness = "claude-code-bare"`,
    },
  );
  await run.editor.prompt(run.session, "go");
  expect(run.editor.terminals.created).toHaveLength(1);
  expect(answered(run.server)).toContain("42-there");
  expect(run.editor.terminals.leftOpen).toBe(0);
});
