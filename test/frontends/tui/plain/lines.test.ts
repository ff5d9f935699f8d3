import { expect, test } from "bun:test";
import { linesOf } from "../../../../src/frontends/tui/plain/lines.ts";
import type { ThreadItem, TurnEvent } from "../../../../src/protocol/events.ts";

const command = {
  id: "c",
  type: "command_execution",
  command: "/bin/bash -lc 'bun test'",
  cwd: "/w",
  output: "",
  durationMs: 2_300,
  status: "completed",
} as const;

function completed(item: ThreadItem): string[] {
  return linesOf({ type: "item.completed", item });
}

test("a command is said when it starts and when it has ended, with how it ended in words", () => {
  const started: TurnEvent = { type: "item.started", item: { ...command, status: "in_progress" } };
  expect(linesOf(started)).toEqual(["running: bun test"]);
  expect(completed({ ...command, exitCode: 0, output: "1 pass\n" })).toEqual([
    "done: bun test, 2.3s",
    "  1 pass",
  ]);
  expect(completed({ ...command, exitCode: 1, output: "1 fail\n", status: "failed" })).toEqual([
    "failed: bun test, exit 1, 2.3s",
    "  1 fail",
  ]);
  expect(completed({ ...command, status: "declined", durationMs: 0 })).toEqual(["declined: bun test"]);
});

test("of a progress bar the last state is said, and of long output the ends", () => {
  expect(completed({ ...command, exitCode: 0, durationMs: 1, output: "10%\r50%\r100%\ndone\n" })).toEqual([
    "done: bun test",
    "  100%",
    "  done",
  ]);
  const output = Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join("");
  const lines = completed({ ...command, exitCode: 0, durationMs: 1, output });
  expect([lines.length, lines[20], lines[21], lines[22], lines.at(-1)]).toEqual([
    42,
    "  line 19",
    "  (60 lines left out)",
    "  line 80",
    "  line 99",
  ]);
});

test("an edit is said with the number of its lines, and the lines themselves", () => {
  const diff = "--- a/add.ts\n+++ b/add.ts\n@@ -1,2 +1,2 @@\n function add() {\n-  a - b\n+  a + b\n";
  const changes = [{ path: "/w/add.ts", kind: "update" as const, diff }];
  expect(completed({ id: "f", type: "file_change", changes, status: "completed" })).toEqual([
    "done: edit add.ts, 1 lines added, 1 removed",
    "  @@ -1,2 +1,2 @@",
    "   function add() {",
    "  -  a - b",
    "  +  a + b",
  ]);
});

test("a plan is words, not marks", () => {
  const steps = [
    { text: "read", status: "completed" as const },
    { text: "fix", status: "in_progress" as const },
    { text: "test", status: "pending" as const },
  ];
  expect(completed({ id: "p", type: "todo_list", steps })).toEqual([
    "plan: 1 of 3 done",
    "  done: read",
    "  running: fix",
    "  open: test",
  ]);
});

test("nothing of a model, a tool or a server can reach the terminal as a control sequence", () => {
  const evil = "a\u001b[2J\u001b]0;title\u0007b\u009b31mc\u202ed";
  const events: TurnEvent[] = [
    { type: "item.completed", item: { id: "m", type: "agent_message", text: evil } },
    { type: "item.completed", item: { id: "r", type: "reasoning", text: evil } },
    { type: "item.completed", item: { ...command, command: evil, output: evil } },
    { type: "item.completed", item: { id: "e", type: "error", message: evil } },
    { type: "warning", message: evil },
    { type: "model.loading", model: evil },
    {
      type: "turn.failed",
      turnId: "t",
      error: { code: "model.rejected", message: evil, hint: evil, retryable: false },
    },
  ];
  const text = events.flatMap(linesOf).join("\n");
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(text.match(/abcd/g)?.length).toBe(9);
});

test("the end of a turn is said, however it came", () => {
  const usage = { input: 10, cachedInput: 0, cacheWrite: 0, output: 3_100, reasoning: 0 };
  expect(linesOf({ type: "turn.completed", turnId: "t", usage, durationMs: 14_000 })).toEqual([
    "done in 14s, 3.1k tokens",
  ]);
  expect(linesOf({ type: "turn.aborted", turnId: "t", reason: "interrupted" })).toEqual(["stopped"]);
  const error = {
    code: "model.unreachable",
    message: "no answer",
    hint: "start it",
    retryable: true,
  } as const;
  expect(linesOf({ type: "turn.failed", turnId: "t", error })).toEqual([
    "failed: no answer",
    "  start it, or /model for another",
  ]);
});

test("what an agent does carries its name, and what was done to agents is a line with their words", () => {
  expect(completed({ ...command, exitCode: 0, agent: "Alder" })).toEqual([
    "agent Alder: done: bun test, 2.3s",
  ]);
  const agents = [{ sessionId: "s", name: "Alder", status: "done", message: "fine" } as const];
  expect(completed({ id: "a", type: "agent_call", action: "wait", agents, status: "completed" })).toEqual([
    "done: Agents: Alder (done)",
    "  fine",
  ]);
});

test("a refusal that stops the turn is said as a stop, not as a failure", () => {
  const error = { code: "approval.denied", message: "the user denied a call", retryable: false } as const;
  expect(linesOf({ type: "turn.failed", turnId: "t", error })).toEqual(["stopped"]);
});
