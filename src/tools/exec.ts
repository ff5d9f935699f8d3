import { z } from "zod";
import { defineTool } from "./define.ts";
import { type CommandRequest, launch } from "./shell/launch.ts";
import type { LiveCommand } from "./shell/live-command.ts";
import { notStarted } from "./shell/not-started.ts";
import { commandFields, prepareCommand } from "./shell/prepare.ts";
import { processes } from "./shell/processes.ts";
import { refusalNote } from "./shell/refusal-note.ts";
import { digest, outputBudget, unifiedReport } from "./shell/report.ts";
import type { RunContext, ToolResult } from "./types.ts";

const ExecInput = z.object({
  ...commandFields,
  tty: z.boolean().optional(),
  yieldMs: z.number().optional(),
  maxOutputTokens: z.number().optional(),
});
type ExecInput = z.infer<typeof ExecInput>;

/**
 * Runs a command and answers when it has ended or when `yieldMs` have passed; then it runs on under a session id that
 * `exec_stdin` takes, and its item stays open until it ends.
 */
export const exec = defineTool<ExecInput>({
  name: "exec",
  schema: ExecInput,
  parallel: true,
  prepare: (input, ctx) => prepareCommand(input, ctx, (request, runCtx) => run(input, request, runCtx)),
});

/** Milliseconds. */
const YIELD = { least: 250, most: 30_000, usual: 10_000 };

async function run(input: ExecInput, request: CommandRequest, ctx: RunContext): Promise<ToolResult> {
  const begin = performance.now();
  const command = await launch(request, ctx);
  if ("problem" in command) return notStarted(request, `exec_command failed: ${command.problem}`);
  const yieldMs = Math.min(YIELD.most, Math.max(YIELD.least, input.yieldMs ?? YIELD.usual));
  const state = await command.waitUntil(yieldMs, ctx.signal);
  if (state === "running") {
    const id = ctx.memory.get(processes).adopt(command, () => {
      ctx.item.close(command.detail(), command.exitCode === 0 ? "completed" : "failed");
    });
    const result = answer(command, `Process running with session ID ${id}`, begin, input, ctx);
    return { ...result, ok: true, open: true };
  }
  if (state === "ended")
    return answer(command, `Process exited with code ${command.exitCode}`, begin, input, ctx);
  await command.kill();
  await command.ended;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  return answer(command, `Process aborted by the user after ${seconds} seconds`, begin, input, ctx);
}

function answer(
  command: LiveCommand,
  status: string,
  begin: number,
  input: ExecInput,
  ctx: RunContext,
): ToolResult {
  const { exitCode, processId } = command;
  const wallMs = performance.now() - begin;
  const output = digest(command.takeOutput(), outputBudget(ctx.outputLimit, input.maxOutputTokens));
  const note =
    exitCode === undefined || ctx.signal.aborted
      ? undefined
      : refusalNote({ exitCode, output: output.full }, ctx.policy, ctx.sandbox);
  return {
    ok: exitCode === 0 && !ctx.signal.aborted,
    content: [{ type: "input_text", text: unifiedReport(status, wallMs, output, note) }],
    fields: {
      output: output.full,
      wallTimeSeconds: wallMs / 1000,
      aborted: ctx.signal.aborted,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(processId === undefined ? {} : { processId }),
      ...(note === undefined ? {} : { note }),
    },
    detail: command.detail(),
  };
}
