import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../src/protocol/policy.ts";
import { exec } from "../../src/tools/exec.ts";
import {
  bench,
  commandIn,
  gone,
  isAlive,
  openSandbox,
  outputIn,
  RecordedItem,
  textIn,
} from "./shell/support.ts";

test("the model reads chunk, time, exit code, size and output, line by line", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "echo hi; exit 3" });
  expect(textIn(result)).toMatch(
    /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 3\nOriginal token count: 1\nOutput:\nhi\n$/,
  );
  expect(result.ok).toBe(false);
  expect(result.open).toBeUndefined();
});

test("people see the shell's whole command line, the folder, the output and the exit code", async () => {
  await using b = bench();
  const { durationMs, ...detail } = commandIn((await b.call(exec, { command: "echo hi" })).detail);
  expect(detail).toEqual({
    kind: "command",
    command: "/bin/bash -lc 'echo hi'",
    cwd: b.cwd,
    exitCode: 0,
    output: "hi\n",
  });
  expect(durationMs).toBeGreaterThanOrEqual(0);
});

test("policy is asked about the very argv that runs, with the rule and the reason the model gives", async () => {
  await using b = bench();
  const prepared = await exec.prepare(
    {
      command: "make",
      login: false,
      escalate: true,
      justification: "needs the network",
      prefixRule: ["make"],
    },
    b.ctx,
  );
  if ("refused" in prepared) throw new Error("refused");
  const { run: _, ...ready } = prepared.ready;
  const argv = ["/bin/bash", "-c", "make"];
  expect(ready).toEqual({
    access: { argv },
    subject: { kind: "command", argv, cwd: b.cwd, proposedRule: ["make"] },
    escalate: { justification: "needs the network" },
    shown: { kind: "command", command: "/bin/bash -c make", cwd: b.cwd, output: "", durationMs: 0 },
  });
});

test("a command with a NUL is refused in words", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "echo a\0b" });
  expect([result.ok, textIn(result)]).toEqual([
    false,
    "a command can't hold a NUL character; write it without",
  ]);
});

test("workdir is relative to the session's folder", async () => {
  await using b = bench();
  mkdirSync(join(b.cwd, "sub"));
  const result = await b.call(exec, { command: "pwd", workdir: "sub" });
  expect(commandIn(result.detail).output).toBe(`${b.cwd}/sub\n`);
});

test("a working folder that does not exist is shown, fails with -1 and is named", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "pwd", workdir: "/no/such/dir" });
  const text = "exec_command failed: the working folder /no/such/dir does not exist";
  expect(textIn(result)).toBe(text);
  expect({ ok: result.ok, detail: result.detail }).toEqual({
    ok: false,
    detail: {
      kind: "command",
      command: "/bin/bash -lc pwd",
      cwd: "/no/such/dir",
      exitCode: -1,
      output: text,
      durationMs: 0,
    },
  });
});

test("a shell that does not exist is refused before anything is shown", async () => {
  await using b = bench();
  const prepared = await exec.prepare({ command: "pwd", shell: "no-shell" }, b.ctx);
  expect(prepared).toMatchObject({ refused: { ok: false, detail: { kind: "none" } } });
});

test("another shell can be asked for", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "true", shell: "/bin/sh" });
  expect(commandIn(result.detail).command).toBe("/bin/sh -lc true");
});

test("a script of 200 kB runs and is shown as it is", async () => {
  await using b = bench();
  const script = `echo ${"x".repeat(200_000)} | wc -c`;
  const result = await b.call(exec, { command: script });
  expect(outputIn(result).trim()).toBe("200001");
  expect(commandIn(result.detail).command).toBe(`/bin/bash -lc '${script}'`);
});

test("too much output goes to the model as head and tail; people see it whole", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "seq 1 50000", maxOutputTokens: 100 });
  const text = textIn(result);
  expect(text).toContain(
    "\nOriginal token count: 72224\nOutput:\nWarning: truncated output (original token count: 72224)\nTotal output lines: 50000\n\n1\n2\n3\n",
  );
  expect(text).toMatch(/…72124 tokens truncated…/);
  expect(text).toEndWith("49999\n50000\n");
  expect(commandIn(result.detail).output.length).toBe(288_894);
});

test("a flood is cut for everybody and keeps its exit code", async () => {
  await using b = bench();
  const result = await b.call(exec, {
    command: "echo HEAD; seq 1 400000; echo TAIL; exit 3",
    yieldMs: 30_000,
  });
  const { output, exitCode } = commandIn(result.detail);
  expect(exitCode).toBe(3);
  expect(output.length).toBeLessThan(1024 * 1024 + 100);
  expect(output).toMatch(/^HEAD\n1\n[\s\S]*\n\.\.\. \d+ bytes omitted \.\.\.\n[\s\S]*400000\nTAIL\n$/);
  expect(textIn(result)).toContain("Total output lines: 400002\n\nHEAD\n");
  expect(textIn(result)).toEndWith("TAIL\n");
});

test("the model's own limit holds, whatever it asks for", async () => {
  await using b = bench({ outputLimit: { unit: "bytes", limit: 20 } });
  const result = await b.call(exec, { command: "seq 1 50000", maxOutputTokens: 9999 });
  expect(outputIn(result)).toEndWith("1\n2\n3\n4\n5\n…288874 chars truncated…999\n50000\n");
});

test("progress is collapsed and colours are dropped for the model, people get the raw output", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "printf '1%%\\r2%%\\r\\033[31mred\\033[0m\\n'" });
  expect(outputIn(result)).toBe("red\n");
  expect(commandIn(result.detail).output).toBe("1%\r2%\r\x1b[31mred\x1b[0m\n");
});

test("output is passed on while the command runs", async () => {
  await using b = bench();
  const item = new RecordedItem();
  const running = b.call(
    exec,
    { command: "echo first; until test -e go; do sleep 0.01; done; echo second" },
    { item },
  );
  await item.saw("first\n");
  writeFileSync(join(b.cwd, "go"), "");
  await running;
  expect(item.deltas.join("")).toBe("first\nsecond\n");
  expect(item.isClosed).toBe(false);
});

test("a command that outlives its call leaves the item open and closes it when it ends", async () => {
  await using b = bench();
  const item = new RecordedItem();
  const command = "echo start; until test -e go; do sleep 0.01; done; echo end; exit 4";
  const result = await b.call(exec, { command, yieldMs: 3000 }, { item });
  expect(textIn(result)).toMatch(/\nProcess running with session ID \d{4,5}\n[\s\S]*\nstart\n$/);
  expect({ ok: result.ok, open: result.open }).toEqual({ ok: true, open: true });
  const { processId } = commandIn(result.detail);
  writeFileSync(join(b.cwd, "go"), "");
  const { detail, status } = await item.closed.promise;
  expect(status).toBe("failed");
  expect(commandIn(detail)).toMatchObject({ exitCode: 4, output: "start\nend\n", processId });
});

test("the end of the session ends what still runs, without closing its item", async () => {
  await using b = bench();
  const item = new RecordedItem();
  await b.call(exec, { command: "echo $$; exec sleep 60", yieldMs: 250 }, { item });
  const pid = Number(await item.saw("\n"));
  expect(isAlive(pid)).toBe(true);
  await b.endSession();
  await gone(pid);
  expect(item.isClosed).toBe(false);
});

test("the end of the session also ends what a finished command left in the background", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "sleep 60 & echo $!" });
  const pid = Number(outputIn(result));
  expect(isAlive(pid)).toBe(true);
  await b.endSession();
  await gone(pid);
});

test("commands of one answer run at the same time", async () => {
  await using b = bench();
  // Each waits for the other's file: one after the other would never end.
  const meet = (own: string, other: string) =>
    `touch ${own}; until test -e ${other}; do sleep 0.01; done; echo ${own}`;
  const results = await Promise.all([
    b.call(exec, { command: meet("one", "two") }),
    b.call(exec, { command: meet("two", "one") }),
  ]);
  expect(results.map(outputIn)).toEqual(["one\n", "two\n"]);
});

test("an abort ends the command with its children and says so", async () => {
  await using b = bench();
  const item = new RecordedItem();
  const abort = new AbortController();
  const running = b.call(exec, { command: "sleep 60 & echo $!; wait" }, { item, signal: abort.signal });
  await item.saw("\n");
  abort.abort();
  const result = await running;
  expect(textIn(result)).toMatch(/\nProcess aborted by the user after \d+\.\d seconds\n/);
  expect(result.ok).toBe(false);
  await gone(Number(outputIn(result)));
});

test("a call that was aborted before it began starts nothing", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "touch ran" }, { signal: AbortSignal.abort() });
  expect(textIn(result)).toBe("exec_command failed: aborted by the user before it started");
  expect(() => readFileSync(join(b.cwd, "ran"))).toThrow();
});

test("with tty the command has a terminal", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "test -t 0 && echo yes", tty: true });
  expect(outputIn(result)).toBe("yes\n");
  expect(commandIn(result.detail).output).toBe("yes\r\n");
});

test("the command gets the session's environment, and the mark of a missing network only when it is missing", async () => {
  await using b = bench();
  const env = { ...b.ctx.env, PLAINVAR: "ok", CODEX_SANDBOX_NETWORK_DISABLED: "1" };
  const command = 'echo "$PLAINVAR-$CODEX_SANDBOX_NETWORK_DISABLED"';
  const open = await b.call(exec, { command }, { env });
  const closed = await b.call(
    exec,
    { command },
    { env: b.ctx.env, policy: { mode: "external", network: false } },
  );
  expect([open, closed].map(outputIn)).toEqual(["ok-\n", "-1\n"]);
});

test("the sandbox decides what is spawned", async () => {
  const seen: unknown[] = [];
  const sandbox: Sandbox = {
    ...openSandbox,
    async wrap(command, policy, options) {
      seen.push({ argv: command.argv, cwd: command.cwd, policy, options });
      return { ...command, argv: ["/bin/sh", "-c", "echo wrapped"], fds: [], release: () => {} };
    },
  };
  await using b = bench({ sandbox });
  const policy = { mode: "external", network: true } as const;
  const result = await b.call(exec, { command: "true" }, { policy });
  expect(outputIn(result)).toBe("wrapped\n");
  expect(seen).toEqual([{ argv: ["/bin/bash", "-lc", "true"], cwd: b.cwd, policy, options: { tty: false } }]);
});

test("a patch in a here-document becomes a patch", async () => {
  await using b = bench();
  const command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n.txt\n+hi\n*** End Patch\nEOF";
  const prepared = await exec.prepare({ command }, b.ctx);
  expect(prepared).toMatchObject({ ready: { subject: { kind: "patch" } } });
  const result = await b.call(exec, { command });
  expect(result.detail.kind).toBe("files");
  expect(readFileSync(join(b.cwd, "n.txt"), "utf8")).toBe("hi\n");
});

test("a script that does more than apply a patch is a command", async () => {
  await using b = bench();
  const result = await b.call(exec, { command: "echo apply_patch is a word" });
  expect(outputIn(result)).toBe("apply_patch is a word\n");
});

test("input of the wrong shape is a schema error", () => {
  expect(() => exec.schema.parse({ cmd: "ls" })).toThrow();
});
