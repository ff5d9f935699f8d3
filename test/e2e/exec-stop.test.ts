import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, openSync, readdirSync } from "node:fs";
import { confinedTest } from "../sandbox/confined.ts";
import { bodyOf, completed, conversation, exec, outline, useServer } from "../support/exec.ts";
import { checkProtocol } from "../support/exec-protocol.ts";
import { calls, type FakeChoice, says, sends, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { processesWith } from "../support/processes.ts";
import { program } from "../support/run.ts";

setDefaultTimeout(120_000);

const OPEN = ["-s", "danger-full-access"];
const SILENCE = sends([": waiting\n\n"], { end: "hang" });

/** Seconds of sleep that no other process on this machine waits for. */
function uniqueSleep(): string {
  return `100000.${String(Math.random()).slice(2, 12)}`;
}

async function stopInCommand(home: TempHome, signal: NodeJS.Signals, args: readonly string[]) {
  const seconds = uniqueSleep();
  const cmd = `echo ready; sleep ${seconds} & sleep ${seconds}`;
  await using server = startFakeServer([calls("exec_command", { cmd, yield_time_ms: 30_000 })]);
  await useServer(home, server);
  const result = await exec(home, [...args, "go"], {
    onLine: (line, kill) => line.includes('"item.started"') && kill(signal),
  });
  checkProtocol(result.stdout);
  return { ...result, left: processesWith(seconds) };
}

for (const [signal, code] of [
  ["SIGINT", 1],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  test(`${signal} while a command runs ends it with its children, and the run`, async () => {
    await using home = await tempHome();
    const { exitCode, events, left } = await stopInCommand(home, signal, OPEN);
    expect({ exitCode, left }).toEqual({ exitCode: code, left: [] });
    expect(outline(events).filter((type) => type.startsWith("turn."))).toEqual(["turn.started"]);
  });

  test(`${signal} while the model answers ends the run`, async () => {
    await using home = await tempHome();
    await using server = startFakeServer([SILENCE]);
    await useServer(home, server);
    const { exitCode, events } = await exec(home, ["go"], {
      onLine: (line, kill) => line.includes('"turn.started"') && kill(signal),
    });
    expect({ exitCode, events: outline(events) }).toEqual({
      exitCode: code,
      events: ["thread.started", "turn.started"],
    });
  });
}

test.skipIf(process.platform === "win32")(
  "who is killed without a chance to clean up leaves no command behind, not even without a sandbox",
  async () => {
    await using home = await tempHome();
    const seconds = uniqueSleep();
    const short = calls("exec_command", { cmd: `sleep ${seconds}`, yield_time_ms: 250 });
    const cmd = `echo ready; sleep ${seconds} & sleep ${seconds}`;
    const long = calls("exec_command", { cmd, yield_time_ms: 30_000 });
    await using server = startFakeServer([calls("exec_command", { cmd: "true" }), short, long]);
    await useServer(home, server);
    let started = 0;
    const { exitCode } = await exec(home, [...OPEN, "go"], {
      onLine: (line, kill) => {
        if (line.includes('"item.started"')) started += 1;
        if (started === 3) kill("SIGKILL");
      },
    });
    expect(exitCode).toBe(137);
    while (processesWith(seconds).length > 0) await Bun.sleep(20);
  },
  30_000,
);

test.skipIf(process.platform === "win32")(
  "a second signal right after the first changes nothing: the end is as orderly",
  async () => {
    await using home = await tempHome();
    const seconds = uniqueSleep();
    await using server = startFakeServer([
      calls("exec_command", { cmd: `sleep ${seconds}`, yield_time_ms: 30_000 }),
    ]);
    await useServer(home, server);
    const { exitCode } = await exec(home, [...OPEN, "go"], {
      onLine: (line, kill) => {
        if (!line.includes('"item.started"')) return;
        kill("SIGINT");
        kill("SIGTERM");
      },
    });
    const locks = readdirSync(`${home.path}/session-locks`);
    // Which of the two was heard first decides the code.
    expect([1, 143]).toContain(exitCode);
    expect({ locks, left: processesWith(seconds) }).toEqual({ locks: [], left: [] });
  },
);

confinedTest("a command in the sandbox is ended as well, and leaves no empty folders behind", async () => {
  await using home = await tempHome();
  const { exitCode, left } = await stopInCommand(home, "SIGTERM", ["-s", "workspace-write"]);
  const folders = [".git", ".codex", ".agents"].filter((name) => existsSync(`${home.cwd}/${name}`));
  expect({ exitCode, left, folders }).toEqual({ exitCode: 143, left: [], folders: [] });
});

test("a command that still runs when the turn is over is ended with the run", async () => {
  await using home = await tempHome();
  const seconds = uniqueSleep();
  const cmd = `sleep ${seconds}`;
  await using server = startFakeServer([calls("exec_command", { cmd, yield_time_ms: 250 }), says("done")]);
  await useServer(home, server);
  const { exitCode, events, stdout } = await exec(home, [...OPEN, "go"]);
  checkProtocol(stdout);
  expect({
    exitCode,
    commands: completed(events, "command_execution"),
    left: processesWith(seconds),
  }).toEqual({
    exitCode: 0,
    commands: [],
    left: [],
  });
});

test("a signal that comes before the first event still ends the run", async () => {
  await using home = await tempHome();
  const child = Bun.spawn([...program(), "exec", "--json", "--skip-git-repo-check"], {
    cwd: home.cwd,
    env: home.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  // It is reading its prompt when it says so.
  for await (const _ of child.stderr) break;
  child.kill("SIGTERM");
  expect(await child.exited).toBe(143);
});

test("a reader that goes away ends the run and its command", async () => {
  await using home = await tempHome();
  const seconds = uniqueSleep();
  await using server = startFakeServer([
    calls("exec_command", { cmd: `echo out; sleep ${seconds}`, yield_time_ms: 250 }),
    calls("exec_command", { cmd: "echo more" }),
    says("done"),
  ]);
  await useServer(home, server);
  const child = Bun.spawn([...program(), "exec", "--json", "--skip-git-repo-check", ...OPEN, "go"], {
    cwd: home.cwd,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  for await (const _ of child.stdout) break;
  const stderr = await new Response(child.stderr).text();
  await child.exited;
  expect({ left: processesWith(seconds), signal: child.signalCode, complains: /EPIPE/.test(stderr) }).toEqual(
    {
      left: [],
      signal: null,
      complains: false,
    },
  );
});

test.skipIf(!existsSync("/dev/full"))("output that can't be written is an error", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server);
  const child = Bun.spawn([...program(), "exec", "--json", "--skip-git-repo-check", "go"], {
    cwd: home.cwd,
    env: home.env,
    stdin: "ignore",
    stdout: openSync("/dev/full", "w"),
    stderr: "pipe",
  });
  const stderr = await new Response(child.stderr).text();
  expect({ exitCode: await child.exited, names: stderr.includes("ENOSPC") }).toEqual({
    exitCode: 1,
    names: true,
  });
});

test("--timeout tells the model how much time is left, then stops the turn and its command", async () => {
  await using home = await tempHome();
  const seconds = uniqueSleep();
  // The model takes more than half of the time for its first answer.
  const slowly: FakeChoice = async () => {
    await Bun.sleep(4400);
    return calls("exec_command", { cmd: `sleep ${seconds}`, yield_time_ms: 250 });
  };
  await using server = startFakeServer([slowly, SILENCE]);
  await useServer(home, server);
  const { exitCode, events, stdout } = await exec(home, [...OPEN, "--timeout", "8", "go"]);
  checkProtocol(stdout);
  expect(conversation(bodyOf(server, 0))).toEqual(["user: go"]);
  expect(conversation(bodyOf(server, 1)).at(-1)).toMatch(/^user: <time_left>About [1-4] seconds? are left/);
  expect(events.at(-1)).toEqual({
    type: "turn.failed",
    error: { message: expect.stringContaining("--timeout") },
  });
  expect({ exitCode, left: processesWith(seconds) }).toEqual({ exitCode: 1, left: [] });
}, 120_000);

for (const value of ["0", "-1", "soon", "1e9"]) {
  test(`--timeout ${value} is a wrong command line`, async () => {
    await using home = await tempHome();
    const { exitCode, stderr } = await exec(home, [`--timeout=${value}`, "go"]);
    expect({ exitCode, names: stderr.includes("--timeout") }).toEqual({ exitCode: 2, names: true });
  });
}

test("--verify asks the model once to check its work, within the same turn", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done"), says("checked")]);
  await useServer(home, server);
  const { stdout, events } = await exec(home, ["--verify", "go"]);
  checkProtocol(stdout);
  expect(outline(events)).toEqual([
    "thread.started",
    "turn.started",
    "item.completed agent_message",
    "item.completed agent_message",
    "turn.completed",
  ]);
  expect(server.requests.length).toBe(2);
  expect(conversation(bodyOf(server, 1))).toEqual([
    "user: go",
    "assistant: done",
    expect.stringMatching(/^user: .*check your work/),
  ]);
});
