import type { RunContext, ToolResult } from "../types.ts";
import type { LiveCommand } from "./live-command.ts";
import { processes } from "./processes.ts";

/** Lets a started command run on. Its task id is what `task_output` and `task_stop` take. */
export function inBackground(command: LiveCommand, ctx: RunContext): ToolResult {
  const id = ctx.memory.get(processes).adopt(command, () => {
    ctx.item.close(command.detail(), command.exitCode === 0 ? "completed" : "failed");
  });
  return {
    ok: true,
    content: [{ type: "input_text", text: `The command runs in the background as task ${id}` }],
    fields: { case: "background", taskId: id, output: "", trimmed: "" },
    detail: command.detail(),
    open: true,
  };
}
