import { z } from "zod";
import { sleep } from "../util/async.ts";
import { agentWork } from "./agents/work.ts";
import { wakeups } from "./cron/wakeups.ts";
import { defineTool } from "./define.ts";
import { readingCall, textResult } from "./results.ts";
import { processes } from "./shell/processes.ts";
import type { RunContext, ToolMemory, ToolResult } from "./types.ts";

const WaitForInput = z.looseObject({
  timeoutMs: z.number().positive(),
  /** Without it, the first one that ends is enough. */
  taskId: z.coerce.string().optional(),
});
type WaitForInput = z.infer<typeof WaitForInput>;
type Work = { id: string; ended: Promise<void> };

const LONGEST_MS = 600_000;

/** Native "wait_for": until a task in the background ends, a scheduled prompt is due, or the time is over. */
export const waitFor = defineTool<WaitForInput>({
  name: "wait_for",
  schema: WaitForInput,
  parallel: true,
  prepare: async (input) => readingCall([], (run) => wait(input, run)),
});

async function wait({ timeoutMs, taskId }: WaitForInput, ctx: RunContext): Promise<ToolResult> {
  const { memory, signal } = ctx;
  const known = allWork(memory).filter(({ id }) => taskId === undefined || id === taskId);
  if (taskId !== undefined && known.length === 0)
    return textResult(false, `there is no task ${taskId}`, { case: "unknown", taskId });
  const waited = taskId === undefined ? known.filter((work) => isRunning(work.id, memory)) : known;
  const kept = memory.get(wakeups).filter(({ paused }) => !paused);
  if (waited.length === 0 && kept.length === 0)
    return textResult(true, "Nothing runs in the background, and no prompt is kept", { case: "nothing" });
  const dueMs = Math.min(...kept.map(({ nextAt }) => Math.max(0, nextAt - Date.now())));
  const limitMs = Math.min(timeoutMs, LONGEST_MS, taskId === undefined ? dueMs : Number.POSITIVE_INFINITY);
  const begin = performance.now();
  // The sleep has to end with the wait, else its timer keeps the process.
  const stop = new AbortController();
  const timer = sleep(limitMs, AbortSignal.any([signal, stop.signal])).then(
    () => undefined,
    () => undefined,
  );
  const ended = await Promise.race([timer, ...waited.map(({ id, ended: end }) => end.then(() => id))]);
  stop.abort();
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  const text =
    ended === undefined
      ? `Nothing has ended after ${seconds} s`
      : `Task ${ended} has ended (waited ${seconds} s)`;
  return textResult(true, text, {
    case: ended === undefined ? "timeout" : "ended",
    taskId: ended ?? "",
    seconds,
  });
}

function allWork(memory: ToolMemory): Work[] {
  const commands = memory
    .get(processes)
    .all()
    .map(({ id, command }) => ({ id: String(id), ended: command.ended }));
  return [...commands, ...memory.get(agentWork)];
}

function isRunning(id: string, memory: ToolMemory): boolean {
  const command = memory.get(processes).find(Number(id));
  if (command) return command.exitCode === undefined;
  return memory.get(agentWork).some((work) => work.id === id && work.state === "running");
}
