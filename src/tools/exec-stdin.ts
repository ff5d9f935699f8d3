import { z } from "zod";
import { defineTool } from "./define.ts";
import { typingProblem } from "./plan-state.ts";
import { textResult } from "./results.ts";
import type { LiveCommand } from "./shell/live-command.ts";
import { processes } from "./shell/processes.ts";
import { refusalNote } from "./shell/refusal-note.ts";
import { digest, outputBudget, unifiedReport } from "./shell/report.ts";
import type { RunContext, ToolResult } from "./types.ts";

const StdinInput = z.object({
  sessionId: z.number(),
  chars: z.string().optional(),
  yieldMs: z.number().optional(),
  maxOutputTokens: z.number().optional(),
});
type StdinInput = z.infer<typeof StdinInput>;

/**
 * Writes to a command that `exec` left running, or only waits for it, and answers with what it wrote since. Ctrl-C
 * (U+0003) interrupts, also without a terminal; a second one in the same text ends the command by force. Shows
 * nothing of its own: the output goes to the item of the command.
 */
export const execStdin = defineTool<StdinInput>({
  name: "exec_stdin",
  schema: StdinInput,
  parallel: false,
  prepare: async (input) => ({
    ready: {
      access: {},
      subject: { kind: "permissions", access: {} },
      shown: { kind: "none" },
      run: (ctx) => run(input, ctx),
    },
  }),
});

const CTRL_C = "\u0003";

/** Milliseconds. */
const POLL = { least: 5000, most: 300_000, usual: 5000 };
const WRITE = { least: 250, most: 30_000, usual: 250 };

async function run(input: StdinInput, ctx: RunContext): Promise<ToolResult> {
  const { sessionId, chars = "" } = input;
  const begin = performance.now();
  const table = ctx.memory.get(processes);
  const command = table.find(sessionId);
  if (!command) return textResult(false, `write_stdin failed: Unknown process id ${sessionId}`);
  const problem = isMore(chars) ? typingProblem(command.facts, ctx) : undefined;
  if (problem) return textResult(false, `write_stdin failed: ${problem}`);
  if (chars !== "" && command.exitCode === undefined && !(await write(command, chars))) {
    return textResult(
      false,
      "write_stdin failed: stdin is closed for this session; start the command with tty=true to be able to write to it",
    );
  }
  const limits = chars === "" ? POLL : WRITE;
  const yieldMs = Math.min(limits.most, Math.max(limits.least, input.yieldMs ?? limits.usual));
  await command.waitUntil(yieldMs, ctx.signal);
  if (command.exitCode !== undefined) table.forget(sessionId);
  return answer(command, performance.now() - begin, input, ctx);
}

/** Is it more than waiting, and more than an interruption? */
function isMore(chars: string): boolean {
  return chars.replaceAll(CTRL_C, "") !== "";
}

/** False when the text could not be delivered. */
async function write(command: LiveCommand, chars: string): Promise<boolean> {
  const interrupts = chars.split(CTRL_C).length - 1;
  if (interrupts > 1) await command.kill();
  else if (interrupts === 1 && !command.facts.tty) command.interrupt();
  else return command.write(chars);
  return true;
}

function answer(command: LiveCommand, wallMs: number, input: StdinInput, ctx: RunContext): ToolResult {
  const { exitCode } = command;
  const output = digest(command.takeOutput(), outputBudget(ctx.outputLimit, input.maxOutputTokens));
  const status =
    exitCode === undefined
      ? `Process running with session ID ${input.sessionId}`
      : `Process exited with code ${exitCode}`;
  const note =
    exitCode === undefined
      ? undefined
      : refusalNote({ exitCode, output: output.full }, command.facts.policy, ctx.sandbox);
  return {
    ok: exitCode === undefined || exitCode === 0,
    content: [{ type: "input_text", text: unifiedReport(status, wallMs, output, note) }],
    fields: {
      output: output.full,
      wallTimeSeconds: wallMs / 1000,
      ...(exitCode === undefined ? { processId: input.sessionId } : { exitCode }),
    },
    detail: { kind: "none" },
  };
}
