import { z } from "zod";
import { defineTool } from "./define.ts";
import { typingProblem } from "./plan-state.ts";
import { readingCall, textResult } from "./results.ts";
import { readable } from "./shell/model-text.ts";
import { findTask, noSuchTask } from "./shell/tasks.ts";
import type { RunContext, ToolResult } from "./types.ts";

const TaskInputInput = z.looseObject({
  taskId: z.coerce.string(),
  text: z.string().optional(),
  /** No more input will come. */
  close: z.boolean().optional(),
  /** How long to wait for its end. */
  timeoutMs: z.number().optional(),
});
type TaskInputInput = z.infer<typeof TaskInputInput>;

const USUAL_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 600_000;

/** Native "task_input": more standard input for a command in the background that was started with it open. */
export const taskInput = defineTool<TaskInputInput>({
  name: "task_input",
  schema: TaskInputInput,
  parallel: false,
  prepare: async (input) => readingCall([], (run) => give(input, run)),
});

async function give(
  { taskId, text = "", close = false, timeoutMs }: TaskInputInput,
  ctx: RunContext,
): Promise<ToolResult> {
  const command = findTask(taskId, ctx.memory);
  if (!command) return noSuchTask(taskId, ctx.memory);
  const problem = text === "" ? undefined : typingProblem(command.facts, ctx);
  if (problem) return textResult(false, problem);
  if (text !== "" && !command.write(text))
    return textResult(false, `task ${taskId} reads no input: it was started without, or has ended`, {
      case: "closed",
      taskId,
    });
  if (close) command.closeInput();
  await command.waitUntil(Math.min(LONGEST_WAIT_MS, Math.max(0, timeoutMs ?? USUAL_WAIT_MS)), ctx.signal);
  const output = readable(command.takeOutput().text).trimEnd();
  const { exitCode } = command;
  const status = exitCode === undefined ? "still running" : `ended with exit code ${exitCode}`;
  const fields = {
    case: exitCode === undefined ? "running" : "ended",
    taskId,
    output,
    exitCode: exitCode ?? "",
  };
  return textResult(true, `Task ${taskId}: ${status}${output === "" ? "" : `\n${output}`}`, fields);
}
