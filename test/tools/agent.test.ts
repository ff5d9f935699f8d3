import { expect, test } from "bun:test";
import { agent } from "../../src/tools/agent.ts";
import { taskEnds } from "../../src/tools/shell/task-ends.ts";
import type { AgentRunner, AgentTask } from "../../src/tools/types.ts";
import { NO_CHILDREN } from "./agent-runner.ts";
import { workbench } from "./files/workbench.ts";

function runner(text: string, ok = true): AgentRunner & { tasks: AgentTask[] } {
  const tasks: AgentTask[] = [];
  return {
    ...NO_CHILDREN,
    tasks,
    run: async (task) => {
      tasks.push(task);
      return { ok, text, toolCalls: 2, tokens: 30, durationMs: 4 };
    },
  };
}

test("the last message of a child agent is the result, with what it cost", async () => {
  await using bench = await workbench();
  const agents = runner("found it");
  const result = await bench.call(agent, { prompt: "find", kind: "Explore" }, { agents });
  expect(agents.tasks).toMatchObject([{ prompt: "find", kind: "Explore" }]);
  expect(result).toMatchObject({
    ok: true,
    content: [{ type: "input_text", text: "found it" }],
    fields: { case: "done", agentId: "call-1", toolCalls: 2, tokens: 30, durationMs: 4 },
  });
});

test("a child that fails is a failed call, and a child has no children", async () => {
  await using bench = await workbench();
  const failed = await bench.call(agent, { prompt: "find" }, { agents: runner("no", false) });
  expect([failed.ok, failed.fields?.["case"]]).toEqual([false, "failed"]);
  expect(await bench.ask(agent, { prompt: "find" })).toBe("an agent can't start further agents");
});

test("in the background the report goes into a file, and its end is noted", async () => {
  await using bench = await workbench();
  const { promise, resolve } = Promise.withResolvers<void>();
  const agents: AgentRunner = {
    ...NO_CHILDREN,
    run: async () => {
      await promise;
      return { ok: true, text: "the report", toolCalls: 0, tokens: 0, durationMs: 0 };
    },
  };
  const input = { prompt: "find", description: "look", background: true };
  const { fields } = await bench.call(agent, input, { agents });
  const file = String(fields?.["file"]);
  expect(fields?.["case"]).toBe("background");
  resolve();
  const ends = bench.ctx.memory.get(taskEnds);
  while (ends.length === 0) await Bun.sleep(5);
  expect(ends).toEqual([{ taskId: "call-1", file, exitCode: 0, command: "look" }]);
  expect(await Bun.file(file).text()).toBe("the report");
  await bench.ctx.memory.dispose();
});
