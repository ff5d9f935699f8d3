import { z } from "zod";
import { agentWork } from "./agents/work.ts";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import { findTask, noSuchTask } from "./shell/tasks.ts";
import type { ToolMemory, ToolResult } from "./types.ts";

const TaskStopInput = z.looseObject({ taskId: z.coerce.string() });
type TaskStopInput = z.infer<typeof TaskStopInput>;

/** Native "task_stop": ends a command in the background, with its children, or an agent or workflow there. */
export const taskStop = defineTool<TaskStopInput>({
  name: "task_stop",
  schema: TaskStopInput,
  parallel: true,
  prepare: async ({ taskId }) =>
    readingCall([], async ({ memory }) => {
      const command = findTask(taskId, memory);
      if (!command) return stopAgent(taskId, memory);
      const fields = { taskId, command: command.facts.command };
      if (command.exitCode !== undefined)
        return textResult(true, `Task ${taskId} has already ended`, { case: "ended", ...fields });
      await command.kill();
      await command.ended;
      return textResult(true, `Task ${taskId} was stopped`, { case: "stopped", ...fields });
    }),
});

async function stopAgent(taskId: string, memory: ToolMemory): Promise<ToolResult> {
  const work = memory.get(agentWork).find(({ id }) => id === taskId);
  if (!work) return noSuchTask(taskId, memory);
  const fields = { taskId, command: work.description };
  if (work.state !== "running")
    return textResult(true, `Task ${taskId} has already ended`, { case: "ended", ...fields });
  work.stop?.();
  await work.ended;
  return textResult(true, `Task ${taskId} was stopped`, { case: "stopped", ...fields });
}
