import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { RunContext, ToolResult } from "../types.ts";
import { type CommandRequest, launch } from "./launch.ts";
import type { LiveCommand } from "./live-command.ts";
import { notStarted } from "./not-started.ts";
import { processes } from "./processes.ts";
import { outputFile } from "./spill.ts";
import { taskEnds } from "./task-ends.ts";

/** A command whose output also goes into a file, so that it may run on after its call. */
export type FiledCommand = {
  command: LiveCommand;
  file: string;
  /** Lets it run on; its task id is what `task_output` and `task_stop` take. */
  keep(): string;
  /** It has ended within its call, and the file is not needed. */
  drop(): Promise<void>;
};

/**
 * Starts a command and lets it run on. Its task id is what `task_output` and `task_stop` take; what it writes also goes
 * into a file, which a model can read by its other tools. `fields` are added to those of the result.
 */
export async function runInBackground(
  request: CommandRequest,
  fields: NonNullable<ToolResult["fields"]>,
  ctx: RunContext,
): Promise<ToolResult> {
  const filed = await launchToFile(request, ctx);
  if ("problem" in filed) return notStarted(request, `command failed: ${filed.problem}`, fields);
  return runsOn(filed, fields);
}

export async function launchToFile(
  request: CommandRequest,
  ctx: RunContext,
): Promise<FiledCommand | { problem: string }> {
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
    return command;
  }
  return {
    command,
    file,
    keep() {
      const ends = ctx.memory.get(taskEnds);
      const id = ctx.memory.get(processes).adopt(command, () => {
        sink.end();
        const { exitCode = -1, facts } = command;
        ends.push({ taskId: String(id), file, exitCode, command: facts.command });
        close(command.detail(), exitCode === 0 ? "completed" : "failed");
      });
      return String(id);
    },
    async drop() {
      sink.end();
      await rm(file, { force: true });
    },
  };
}

/** The result of a call whose command goes on. */
export function runsOn(
  { command, file, keep }: FiledCommand,
  fields: NonNullable<ToolResult["fields"]>,
): ToolResult {
  const taskId = keep();
  const text = `The command runs in the background as task ${taskId}; output: ${file}`;
  return {
    ok: true,
    content: [{ type: "input_text", text }],
    fields: { ...fields, case: "background", taskId, file, pid: command.pid },
    detail: command.detail(),
    open: true,
  };
}
