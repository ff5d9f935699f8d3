import { readFile } from "node:fs/promises";
import { z } from "zod";
import { sleep } from "../util/async.ts";
import { agentWork } from "./agents/work.ts";
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
  const waitMs = block ? Math.min(LONGEST_WAIT_MS, Math.max(0, timeoutMs ?? USUAL_WAIT_MS)) : 0;
  if (!command) return readAgent(taskId, waitMs, ctx);
  if (block) await command.waitUntil(waitMs, ctx.signal);
  const output = readable(command.takeOutput().text).trimEnd();
  const { exitCode } = command;
  const state = exitCode === undefined ? "running" : "ended";
  const status = exitCode === undefined ? "still running" : `ended with exit code ${exitCode}`;
  const fields = { case: state, taskId, output, exitCode: exitCode ?? "" };
  return textResult(true, `Task ${taskId}: ${status}${output === "" ? "" : `\n${output}`}`, fields);
}

/** An agent says nothing until its report is there. */
async function readAgent(taskId: string, waitMs: number, ctx: RunContext): Promise<ToolResult> {
  const work = ctx.memory.get(agentWork).find(({ id }) => id === taskId);
  if (!work) return noSuchTask(taskId, ctx.memory);
  // The sleep has to end with the wait, else its timer keeps the process.
  const stop = new AbortController();
  const timer = sleep(waitMs, AbortSignal.any([ctx.signal, stop.signal])).catch(() => {});
  await Promise.race([timer, work.ended]);
  stop.abort();
  const isRunning = work.state === "running";
  const output = isRunning || !work.file ? "" : (await readFile(work.file, "utf8").catch(() => "")).trimEnd();
  const exitCode = isRunning ? "" : work.state === "done" ? 0 : 1;
  const status = isRunning ? "still running" : work.state;
  const fields = { case: isRunning ? "running" : "ended", taskId, output, exitCode };
  return textResult(true, `Task ${taskId}: ${status}${output === "" ? "" : `\n${output}`}`, fields);
}
