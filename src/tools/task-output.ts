import { z } from "zod";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import { readable } from "./shell/model-text.ts";
import { findTask, noSuchTask } from "./shell/tasks.ts";
import type { RunContext, ToolResult } from "./types.ts";

const TaskOutputInput = z.looseObject({
  taskId: z.coerce.string(),
  /** Wait for the end of the command, at most `timeoutMs`. */
  block: z.boolean().optional(),
  timeoutMs: z.number().optional(),
});
type TaskOutputInput = z.infer<typeof TaskOutputInput>;

const USUAL_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;

/** Native "task_output": what a command in the background has written since it was asked last, and whether it runs on. */
export const taskOutput = defineTool<TaskOutputInput>({
  name: "task_output",
  schema: TaskOutputInput,
  parallel: true,
  prepare: async (input) => readingCall([], (run) => readTask(input, run)),
});

async function readTask(
  { taskId, block = true, timeoutMs }: TaskOutputInput,
  ctx: RunContext,
): Promise<ToolResult> {
  const command = findTask(taskId, ctx.memory);
  if (!command) return noSuchTask(taskId, ctx.memory);
  if (block)
    await command.waitUntil(Math.min(LONGEST_WAIT_MS, Math.max(0, timeoutMs ?? USUAL_WAIT_MS)), ctx.signal);
  const output = readable(command.takeOutput().text).trimEnd();
  const { exitCode } = command;
  const state = exitCode === undefined ? "running" : "ended";
  const status = exitCode === undefined ? "still running" : `ended with exit code ${exitCode}`;
  const fields = { case: state, taskId, output, exitCode: exitCode ?? "" };
  return textResult(true, `Task ${taskId}: ${status}${output === "" ? "" : `\n${output}`}`, fields);
}
