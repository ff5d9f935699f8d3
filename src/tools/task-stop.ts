import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import { findTask, noSuchTask } from "./shell/tasks.ts";

const TaskStopInput = z.looseObject({ taskId: z.coerce.string() });
type TaskStopInput = z.infer<typeof TaskStopInput>;

/** Native "task_stop": ends a command in the background, with its children. */
export const taskStop = defineTool<TaskStopInput>({
  name: "task_stop",
  schema: TaskStopInput,
  parallel: true,
  prepare: async ({ taskId }) =>
    readingCall([], async ({ memory }) => {
      const command = findTask(taskId, memory);
      if (!command) return noSuchTask(taskId, memory);
      const fields = { taskId, command: command.facts.command };
      if (command.exitCode !== undefined)
        return textResult(true, `Task ${taskId} has already ended`, { case: "ended", ...fields });
      await command.kill();
      await command.ended;
      return textResult(true, `Task ${taskId} was stopped`, { case: "stopped", ...fields });
    }),
});
