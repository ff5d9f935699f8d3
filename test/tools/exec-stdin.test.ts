import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxPolicy } from "../../src/protocol/policy.ts";
import { exec } from "../../src/tools/exec.ts";
import { execStdin } from "../../src/tools/exec-stdin.ts";
import { planMode } from "../../src/tools/plan-state.ts";
import { taskInput } from "../../src/tools/task-input.ts";
import { bench, gone, outputIn, RecordedItem, sessionIdIn, textIn } from "./shell/support.ts";

test("a poll answers with the new output only and tells the end", async () => {
  await using b = bench();
  const command = "echo start; until test -e go; do sleep 0.01; done; echo end";
  const sessionId = sessionIdIn(await b.call(exec, { command, yieldMs: 3000 }));
  writeFileSync(join(b.cwd, "go"), "");
  const result = await b.call(execStdin, { sessionId, chars: "" });
  expect(textIn(result)).toMatch(
    /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nend\n$/,
  );
  expect({ ok: result.ok, detail: result.detail }).toEqual({ ok: true, detail: { kind: "none" } });
});

test("the item of the command is closed before the poll that tells its end returns", async () => {
  await using b = bench();
  const item = new RecordedItem();
  const command = "until test -e go; do sleep 0.01; done";
  const sessionId = sessionIdIn(await b.call(exec, { command, yieldMs: 250 }, { item }));
  writeFileSync(join(b.cwd, "go"), "");
  await b.call(execStdin, { sessionId });
  expect(item.isClosed).toBe(true);
});

test("after its end was told an id is unknown", async () => {
  await using b = bench();
  const sessionId = sessionIdIn(await b.call(exec, { command: "sleep 0.4", yieldMs: 250 }));
  await b.call(execStdin, { sessionId });
  const again = await b.call(execStdin, { sessionId });
  expect(textIn(again)).toBe(`write_stdin failed: Unknown process id ${sessionId}`);
  expect(again.ok).toBe(false);
});

test("text reaches a program on a terminal", async () => {
  await using b = bench();
  const sessionId = sessionIdIn(
    await b.call(exec, { command: 'read -r name; echo "hello $name"', tty: true, yieldMs: 250 }),
  );
  const result = await b.call(execStdin, { sessionId, chars: "bob\n", yieldMs: 30_000 });
  expect(outputIn(result)).toBe("bob\nhello bob\n");
});

test("without a terminal the model is told how to get one", async () => {
  await using b = bench();
  const sessionId = sessionIdIn(await b.call(exec, { command: "sleep 60", yieldMs: 250 }));
  const result = await b.call(execStdin, { sessionId, chars: "x" });
  expect(textIn(result)).toBe(
    "write_stdin failed: stdin is closed for this session; start the command with tty=true to be able to write to it",
  );
});

for (const tty of [false, true]) {
  test(`Ctrl-C interrupts ${tty ? "on a terminal" : "on pipes"}`, async () => {
    await using b = bench();
    const sessionId = sessionIdIn(await b.call(exec, { command: "exec sleep 60", tty, yieldMs: 250 }));
    const result = await b.call(execStdin, { sessionId, chars: "\u0003", yieldMs: 30_000 });
    expect(textIn(result)).toContain("\nProcess exited with code 130\n");
  });
}

test("a second Ctrl-C in the same text ends a command that ignores the first", async () => {
  await using b = bench();
  const item = new RecordedItem();
  const command = "trap '' INT TERM; echo $$; while :; do sleep 1; done";
  const sessionId = sessionIdIn(await b.call(exec, { command, yieldMs: 250 }, { item }));
  const pid = Number(await item.saw("\n"));
  const result = await b.call(execStdin, { sessionId, chars: "\u0003\u0003", yieldMs: 30_000 });
  expect(textIn(result)).toContain("\nProcess exited with code 137\n");
  await gone(pid);
});

test("a poll asks nobody for permission and shows nothing", async () => {
  await using b = bench();
  const prepared = await execStdin.prepare({ sessionId: 1234 }, b.ctx);
  expect(prepared).toMatchObject({
    ready: { access: {}, subject: { kind: "permissions" }, shown: { kind: "none" } },
  });
});

test("while the model plans, nothing is typed into a command that was started before and may write", async () => {
  await using b = bench();
  const command = "read -r word; touch $word";
  const writing = (write: string[]): SandboxPolicy => ({
    mode: "restricted",
    read: "everything",
    write,
    protect: [],
    deny: [],
    network: false,
  });
  const start = async (policy: SandboxPolicy) =>
    sessionIdIn(await b.call(exec, { command, tty: true, yieldMs: 250 }, { policy }));
  const before = await start(writing([b.cwd]));
  const since = await start(writing([]));
  Object.assign(b.ctx.memory.get(planMode), { isOn: true });
  const policy = writing([]);
  const type = async (sessionId: number, chars: string) =>
    await b.call(execStdin, { sessionId, chars, yieldMs: 10_000 }, { policy });
  expect(textIn(await type(before, "made-before\n"))).toBe(
    "write_stdin failed: this command was started before you planned and may change something, so it gets no input; hand the plan in first",
  );
  expect((await b.call(taskInput, { taskId: before, text: "made-before\n" }, { policy })).ok).toBe(false);
  // The sandbox of these tests holds nothing: that it was made shows that the text arrived.
  await type(since, "made-since\n");
  expect([existsSync(join(b.cwd, "made-before")), existsSync(join(b.cwd, "made-since"))]).toEqual([
    false,
    true,
  ]);
  expect((await type(before, "\u0003")).ok).toBe(false);
  expect(textIn(await b.call(execStdin, { sessionId: before }))).toContain("Unknown process id");
});
