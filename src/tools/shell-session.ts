import { z } from "zod";
import { shortHex } from "../util/ids.ts";
import { shellQuote } from "../util/shell-quote.ts";
import { truncateMiddle } from "../util/truncate.ts";
import { defineTool } from "./define.ts";
import { readingCall, refused, textResult } from "./results.ts";
import { endKeptShell, type KeptShell, keptShell } from "./shell/kept-shell.ts";
import { readable } from "./shell/model-text.ts";
import { notStarted } from "./shell/not-started.ts";
import { longLineProblem, quietShell, READY, shellPath } from "./shell/open-shell.ts";
import type { Prepared, RunContext, ToolContext, ToolResult } from "./types.ts";

const ShellSessionInput = z.looseObject({
  action: z.enum(["run", "cwd", "reset"]),
  command: z.string().optional(),
  timeoutMs: z.number().optional(),
});
type ShellSessionInput = z.infer<typeof ShellSessionInput>;

const USUAL_TIMEOUT_MS = 120_000;
const START_MS = 5000;
const LONGEST_MS = 3_600_000;

/** Native "shell_session": commands of one shell that stays open, so that its folder and its variables last. */
export const shellSession = defineTool<ShellSessionInput>({
  name: "shell_session",
  schema: ShellSessionInput,
  parallel: false,
  async prepare(input, ctx) {
    if (input.action === "reset") return readingCall([], reset);
    const command = input.action === "cwd" ? "pwd" : input.command;
    if (command === undefined) return refused("wanted a command");
    const problem = longLineProblem(command);
    return problem ? refused(problem) : runningCall(command, input.timeoutMs ?? USUAL_TIMEOUT_MS, ctx);
  },
});

async function reset(ctx: RunContext): Promise<ToolResult> {
  await endKeptShell(ctx.memory);
  return textResult(true, "The shell was closed; the next command gets a new one");
}

function runningCall(command: string, timeoutMs: number, ctx: ToolContext): Prepared {
  const argv = [shellPath(ctx), "-c", command];
  return {
    ready: {
      access: { argv },
      subject: { kind: "command", argv, cwd: ctx.cwd },
      shown: { kind: "command", command, cwd: ctx.cwd, output: "", durationMs: 0 },
      run: (run) => runIn(command, Math.min(LONGEST_MS, Math.max(1, timeoutMs)), run),
    },
  };
}

async function runIn(command: string, timeoutMs: number, ctx: RunContext): Promise<ToolResult> {
  const begin = performance.now();
  const shell = await keptShell(ctx, quietShell);
  if ("problem" in shell) return notStarted({ argv: [command], cwd: ctx.cwd, tty: true }, shell.problem);
  if (shell.isNew) await shell.settle(START_MS, ctx.signal, (screen) => screen.includes(READY));
  shell.takeScreen();
  const mark = `end-${shortHex(12)}`;
  // In the shell itself, so that `cd` and variables last; without input, so that it can't read the line with the mark.
  shell.type(`eval ${shellQuote([command])} </dev/null; printf '\\n%s:%s\\n' ${shellQuote([mark])} "$?"\n`);
  const end = new RegExp(`\\n${mark}:(\\d+)\\r?\\n`);
  await shell.settle(timeoutMs, ctx.signal, (screen) => end.test(screen));
  return answer({ command, end, timeoutMs, begin }, shell, ctx);
}

async function answer(
  { command, end, timeoutMs, begin }: { command: string; end: RegExp; timeoutMs: number; begin: number },
  shell: KeptShell,
  ctx: RunContext,
): Promise<ToolResult> {
  const screen = shell.takeScreen();
  const [, code] = end.exec(screen) ?? [];
  const full = readable(screen.replace(end, "")).replace(/\n$/, "");
  const output = truncateMiddle(full, ctx.outputLimit);
  const hasEnded = shell.hasEnded;
  // What it would still write must not stand in the next answer.
  if (code === undefined) await endKeptShell(ctx.memory);
  const lost = hasEnded ? "the shell has ended" : `the command ran longer than ${timeoutMs / 1000} seconds`;
  const status = code === undefined ? `${lost}; the next command gets a new shell` : `exit code ${code}`;
  return {
    ok: code === "0",
    content: [{ type: "input_text", text: output === "" ? `(${status})` : `${output}\n(${status})` }],
    detail: {
      kind: "command",
      command,
      cwd: ctx.cwd,
      output: full,
      durationMs: Math.round(performance.now() - begin),
      ...(code === undefined ? {} : { exitCode: Number(code) }),
    },
  };
}
