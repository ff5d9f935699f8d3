import { expect, test } from "bun:test";
import { agentWork } from "../../src/tools/agents/work.ts";
import { goalState } from "../../src/tools/goal/state.ts";
import { createToolMemory } from "../../src/tools/memory.ts";
import { taskEnds } from "../../src/tools/shell/task-ends.ts";
import { unfinished } from "../../src/tools/unfinished.ts";

const end = (taskId: string) => ({ taskId, file: "/f", exitCode: 0, command: "c" });
const quiet = new AbortController().signal;

function agentAtWork(memory = createToolMemory()) {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  memory.get(agentWork).push({ id: "a", description: "d", state: "running", ended });
  const finish = () => {
    memory.get(taskEnds).push(end("a"));
    resolve();
  };
  return { memory, finish };
}

test("with nothing in the background a turn is over", async () => {
  expect(await unfinished(createToolMemory(), 0, quiet)).toBeUndefined();
});

test("a helper that is still at work is waited for", async () => {
  const { memory, finish } = agentAtWork();
  const waiting = unfinished(memory, 0, quiet);
  finish();
  expect(await waiting).toEqual({ ends: [end("a")] });
  expect(memory.get(taskEnds)).toEqual([]);
});

test("a command that has ended keeps no turn from ending", async () => {
  const memory = createToolMemory();
  memory.get(taskEnds).push(end("1001"));
  expect(await unfinished(memory, 0, quiet)).toBeUndefined();
  expect(memory.get(taskEnds)).toEqual([end("1001")]);
});

test("whoever is asked to stop waiting stops, and the goal is not spoken of", async () => {
  const { memory } = agentAtWork();
  const goal = { objective: "o", criterion: "", status: "active", reason: "", startedAt: 0 } as const;
  memory.get(goalState).goal = { ...goal, tokensBefore: 0, turns: 0, budgets: [] };
  const control = new AbortController();
  const waiting = unfinished(memory, 0, control.signal);
  control.abort();
  expect(await waiting).toBeUndefined();
});

test.each([
  [{ unit: "tokens", value: 100 }, 100, "the budget of tokens is used up"],
  [{ unit: "ms", value: 1 }, 0, "the budget of time is used up"],
  [{ unit: "turns", value: 0 }, 0, "the budget of turns is used up"],
] as const)("a goal whose budget %p is used up is paused", async (budget, usedTokens, reason) => {
  const memory = createToolMemory();
  const goal = { objective: "o", criterion: "", status: "active", reason: "", startedAt: 0 } as const;
  memory.get(goalState).goal = { ...goal, tokensBefore: 0, turns: 0, budgets: [budget] };
  expect(await unfinished(memory, usedTokens, quiet)).toBeUndefined();
  expect(memory.get(goalState).goal).toMatchObject({ status: "paused", reason });
});

test("without a budget a goal sends the model on twenty times", async () => {
  const memory = createToolMemory();
  const goal = { objective: "o", criterion: "", status: "active", reason: "", startedAt: 0 } as const;
  memory.get(goalState).goal = { ...goal, tokensBefore: 0, turns: 0, budgets: [] };
  let count = 0;
  while (await unfinished(memory, 0, quiet)) count += 1;
  expect(count).toBe(20);
});
