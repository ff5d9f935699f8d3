import { createWriteStream } from "node:fs";
import type { RunContext, ToolResult } from "../types.ts";
import { type CommandRequest, launch } from "./launch.ts";
import { notStarted } from "./not-started.ts";
import { processes } from "./processes.ts";
import { outputFile } from "./spill.ts";
import { taskEnds } from "./task-ends.ts";

/**
 * Starts a command and lets it run on. Its task id is what `task_output` and `task_stop` take; what it writes also goes
 * into a file, which a model can read by its other tools.
 */
export async function runInBackground(request: CommandRequest, ctx: RunContext): Promise<ToolResult> {
  const file = await outputFile(ctx);
  const sink = createWriteStream(file, { mode: 0o600 });
  // A full disk costs the file, not the command.
  sink.on("error", () => sink.destroy());
  const { item } = ctx;
  const delta = (chunk: string) => {
    sink.write(chunk);
    item.delta(chunk);
  };
  const close = item.close.bind(item);
  const command = await launch(request, { ...ctx, item: { delta, close } });
  if ("problem" in command) {
    sink.end();
    return notStarted(request, `command failed: ${command.problem}`);
  }
  const ends = ctx.memory.get(taskEnds);
  const id = ctx.memory.get(processes).adopt(command, () => {
    sink.end();
    const { exitCode = -1, facts } = command;
    ends.push({ taskId: String(id), file, exitCode, command: facts.command });
    close(command.detail(), exitCode === 0 ? "completed" : "failed");
  });
  return {
    ok: true,
    content: [
      { type: "input_text", text: `The command runs in the background as task ${id}; output: ${file}` },
    ],
    fields: { case: "background", taskId: String(id), file, pid: command.pid },
    detail: command.detail(),
    open: true,
  };
}
