import { expect, setDefaultTimeout, test } from "bun:test";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { tempHome } from "../support/home.ts";
import { program } from "../support/run.ts";

setDefaultTimeout(120_000);

const PROGRAM = Bun.fileURLToPath(import.meta.resolve("./fixtures/program.ts"));

const isLinux = process.platform === "linux";
if (!isLinux)
  process.stderr.write("skipped: ignored signals and full disks, which only Linux can show here\n");

type Options = { stdin?: string; env?: Record<string, string>; argv?: string[] };

/** Starts the fixture. `seen` waits for a text on stdout; `ended` tells how it went. */
function start(what: string, { stdin, env = {}, argv = [] }: Options = {}) {
  const child = Bun.spawn([...argv, process.execPath, PROGRAM, what], {
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nowhere", ...env },
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  let stdout = "";
  let waiting: { text: string; resolve: () => void } | undefined;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      stdout += decoder.decode(chunk, { stream: true });
      if (waiting !== undefined && stdout.includes(waiting.text)) waiting.resolve();
    }
  };
  const finished = Promise.all([read(), new Response(child.stderr).text(), child.exited]);
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    seen: (text: string) =>
      new Promise<void>((resolve, reject) => {
        waiting = { text, resolve };
        if (stdout.includes(text)) resolve();
        void finished.then(([, stderr]) => reject(new Error(`ended before it wrote ${text}: ${stderr}`)));
      }),
    ended: async () => {
      const [, stderr, exitCode] = await finished;
      return { stdout, stderr, exitCode, signal: child.signalCode };
    },
  };
}

test("SIGTERM is told to the program, and ends the process as the signal would", async () => {
  const program = start("wait");
  await program.seen("ready");
  program.kill("SIGTERM");
  expect(await program.ended()).toMatchObject({
    stderr: '{"kind":"signal","signal":"SIGTERM"}\n',
    signal: "SIGTERM",
  });
});

test("SIGHUP does the same", async () => {
  const program = start("wait");
  await program.seen("ready");
  program.kill("SIGHUP");
  expect(await program.ended()).toMatchObject({
    stderr: '{"kind":"signal","signal":"SIGHUP"}\n',
    signal: "SIGHUP",
  });
});

test("SIGINT is told to the program, whose exit code counts", async () => {
  const program = start("wait");
  await program.seen("ready");
  program.kill("SIGINT");
  expect(await program.ended()).toMatchObject({
    stderr: '{"kind":"signal","signal":"SIGINT"}\n',
    exitCode: 1,
    signal: null,
  });
});

test("a later SIGINT ends a program that does not listen to the first", async () => {
  const program = start("deaf");
  await program.seen("ready");
  program.kill("SIGINT");
  await program.seen("aborted");
  const ended = program.ended();
  // Those that come right after the first are taken for its echo.
  while ((await Promise.race([ended, Bun.sleep(50)])) === undefined) program.kill("SIGINT");
  expect(await ended).toMatchObject({ exitCode: 130, stderr: "" });
});

test.skipIf(!isLinux)("a signal that the parent ignores stays ignored", async () => {
  const program = start("wait", { argv: ["sh", "-c", `trap '' HUP; exec "$0" "$@"`] });
  await program.seen("ready");
  program.kill("SIGHUP");
  program.kill("SIGTERM");
  expect((await program.ended()).stderr).toBe('{"kind":"signal","signal":"SIGTERM"}\n');
});

test("a reader that goes away ends the program quietly", async () => {
  const child = Bun.spawn([process.execPath, PROGRAM, "flood"], { stdout: "pipe", stderr: "pipe" });
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  expect([await new Response(child.stderr).text(), await child.exited]).toEqual([
    '{"kind":"closed_stdout"}\n',
    0,
  ]);
});

test.skipIf(!isLinux)("output that can't be written is an error", async () => {
  const full = await open("/dev/full", "w");
  const child = Bun.spawn([process.execPath, PROGRAM, "streams"], { stdout: full.fd, stderr: "pipe" });
  expect([await new Response(child.stderr).text(), await child.exited]).toEqual([
    "error: writing to standard output failed (ENOSPC)\n",
    1,
  ]);
  await full.close();
});

test.skipIf(!isLinux)("a version that can't be written is an error in one line", async () => {
  const full = await open("/dev/full", "w");
  const child = Bun.spawn([...program(), "--version"], { stdout: full.fd, stderr: "pipe" });
  expect([await new Response(child.stderr).text(), await child.exited]).toEqual([
    "error: writing to standard output failed (ENOSPC)\n",
    1,
  ]);
  await full.close();
});

test("all output arrives in order before the end, and a forgotten timer does not hold the process", async () => {
  const { ended } = start("unawaited");
  const { stdout, exitCode } = await ended();
  const expected = Array.from({ length: 3000 }, (_, i) => `${i} ${"x".repeat(100)}\n`).join("");
  expect([stdout === expected, exitCode]).toEqual([true, 7]);
});

test("stdin is read on demand", async () => {
  const { ended } = start("echo", { stdin: "héllo\n" });
  expect(await ended()).toMatchObject({ stdout: "héllo\n", exitCode: 0 });
});

test("pipes, files and /dev/null are not terminals", async () => {
  const { ended } = start("streams");
  expect((await ended()).stdout).toBe("[false,false,false,80]\n");
});

for (const what of ["crash", "reject"]) {
  test(`a fault of the program (${what}) is one line for the user and a stack without text for the log`, async () => {
    await using home = await tempHome();
    const { ended } = start(what, { env: { INTERPRETER_HOME: home.path } });
    expect(await ended()).toEqual({
      stdout: "",
      stderr: "internal error: something broke\n",
      exitCode: 1,
      signal: null,
    });
    const log = join(home.path, "log", "crash.log");
    const record = JSON.parse(await readFile(log, "utf8"));
    expect([record.name, record.frames.join("\n"), (await stat(log)).mode & 0o777]).toEqual([
      "TypeError",
      expect.stringContaining("program.ts"),
      0o600,
    ]);
    expect(JSON.stringify(record)).not.toContain("something broke");
  });
}
