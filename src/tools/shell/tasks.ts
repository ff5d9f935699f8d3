import { textResult } from "../results.ts";
import type { ToolMemory, ToolResult } from "../types.ts";
import type { LiveCommand } from "./live-command.ts";
import { processes } from "./processes.ts";

/** A command in the background, by the id that the model was given. */
export function findTask(taskId: string, memory: ToolMemory): LiveCommand | undefined {
  return memory.get(processes).find(Number(taskId));
}

export function noSuchTask(taskId: string, memory: ToolMemory): ToolResult {
  const ids = memory
    .get(processes)
    .running()
    .map(({ id }) => id);
  const known = ids.length === 0 ? "nothing runs in the background" : `running are ${ids.join(", ")}`;
  return textResult(false, `there is no task ${taskId}; ${known}`, { case: "unknown", taskId });
}
