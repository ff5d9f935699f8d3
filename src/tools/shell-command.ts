import { z } from "zod";
import { defineTool } from "./define.ts";
import { textResult } from "./results.ts";
import { launchToFile, runInBackground, runsOn } from "./shell/background.ts";
import { endsOf } from "./shell/excerpt.ts";
import { type CommandRequest, launch } from "./shell/launch.ts";
import { longSleep } from "./shell/long-sleep.ts";
import { notStarted } from "./shell/not-started.ts";
import { commandFields, prepareCommand } from "./shell/prepare.ts";
import { refusalNote } from "./shell/refusal-note.ts";
import { digest, plainReport } from "./shell/report.ts";
import { spillOutput } from "./shell/spill.ts";
import type { RunContext, ToolResult } from "./types.ts";

const ShellInput = z.object({
  ...commandFields,
  timeoutMs: z.number().optional(),
  /** Output of more characters is put into a file, of which the model sees the beginning. */
  spillChars: z.number().int().positive().optional(),
  /** The same for output of more lines. */
  spillLines: z.number().int().positive().optional(),
  /** Of output of this many characters or more, the model sees the two ends, half of it each. */
  elideChars: z.number().int().positive().optional(),
  /** Answer at once and let the command run on; its output is read by its task id. */
  background: z.boolean().optional(),
  /** A command that takes too long goes to the background instead of being ended. */
  backgroundAtTimeout: z.boolean().optional(),
  /** Commands that begin with a longer sleep are refused, in seconds. */
  longestSleep: z.number().optional(),
  /** What the command reads from standard input. */
  stdin: z.string().optional(),
  /** Standard input of a command in the background stays open for `task_input`. */
  keepInput: z.boolean().optional(),
  /** What the command is for, for lists. */
  description: z.string().optional(),
});
type ShellInput = z.infer<typeof ShellInput>;

/** Runs a command to its end, or ends it with all its children when `timeoutMs` have passed. */
export const shellCommand = defineTool<ShellInput>({
  name: "shell",
  schema: ShellInput,
  parallel: true,
  async prepare(input, ctx) {
    const problem = input.background ? undefined : longSleep(input.command, input.longestSleep);
    if (problem) return { refused: textResult(false, problem, { case: "sleep" }) };
    const { stdin, keepInput, ...command } = input;
    const stays = input.background === true && keepInput === true;
    const given = stdin === undefined && !stays ? {} : { stdin: { text: stdin ?? "", stays } };
    return prepareCommand({ ...command, ...given }, ctx, (request, runCtx) => run(input, request, runCtx));
  },
});

const USUAL_TIMEOUT_MS = 10_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const TIMED_OUT = 124;

async function run(input: ShellInput, request: CommandRequest, ctx: RunContext): Promise<ToolResult> {
  const facts = factsOf(input, ctx);
  if (input.background) return runInBackground(request, { ...facts, wallTime: "0.000" }, ctx);
  const begin = performance.now();
  const filed = input.backgroundAtTimeout ? await launchToFile(request, ctx) : undefined;
  const command =
    filed === undefined ? await launch(request, ctx) : "problem" in filed ? filed : filed.command;
  if ("problem" in command) return notStarted(request, `command failed: ${command.problem}`, facts);
  const timeoutMs = Math.min(LONGEST_TIMER_MS, Math.max(1, input.timeoutMs ?? USUAL_TIMEOUT_MS));
  const state = await command.waitUntil(timeoutMs, ctx.signal);
  if (filed && "keep" in filed) {
    if (state === "running") return runsOn(filed, { ...facts, wallTime: seconds(performance.now() - begin) });
    await filed.drop();
  }
  if (state !== "ended") {
    await command.kill();
    await command.ended;
  }
  const wallMs = performance.now() - begin;
  const exitCode = state === "running" ? TIMED_OUT : (command.exitCode ?? -1);
  const output = digest(command.takeOutput(), ctx.outputLimit);
  const note =
    state === "ended" ? refusalNote({ exitCode, output: output.full }, ctx.policy, ctx.sandbox) : undefined;
  const preface = prefaceOf(state, timeoutMs, wallMs);
  const spilled = await spillOutput(output, input, ctx);
  const ends = endsOf(output.full, input.elideChars);
  return {
    ok: state === "ended" && exitCode === 0,
    content: [{ type: "input_text", text: plainReport(exitCode, wallMs, output, { preface, note }) }],
    fields: {
      ...facts,
      case: outcomeOf(state, spilled !== undefined, ends !== undefined),
      output: output.full,
      trimmed: output.full.replace(/^(?:[ \t]*\n)+/, "").trimEnd(),
      exitCode,
      failed: exitCode !== 0,
      timeoutMs,
      timeoutSeconds: timeoutMs / 1000,
      wallTimeSeconds: wallMs / 1000,
      wallTime: seconds(wallMs),
      timedOut: state === "running",
      aborted: state === "aborted",
      ...(note === undefined ? {} : { note }),
      ...spilled,
      ...ends,
    },
    detail: { ...command.detail(), exitCode },
  };
}

/** Output that lies in a file comes first: only there can all of it be read. */
function outcomeOf(state: "ended" | "running" | "aborted", isSpilled: boolean, isElided: boolean): string {
  if (isSpilled) return "large";
  if (state !== "ended") return state === "running" ? "timeout" : "aborted";
  return isElided ? "elided" : "ended";
}

function factsOf({ command, description, justification, workdir }: ShellInput, { callId }: RunContext) {
  const [firstLine = ""] = command.trim().split("\n");
  return {
    callId,
    command,
    description: description || justification || firstLine,
    directory: workdir ?? "",
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function prefaceOf(
  state: "ended" | "running" | "aborted",
  timeoutMs: number,
  wallMs: number,
): string | undefined {
  switch (state) {
    case "ended":
      return undefined;
    case "running":
      return `command timed out after ${timeoutMs} milliseconds`;
    case "aborted":
      return `command aborted by the user after ${(wallMs / 1000).toFixed(1)} seconds`;
  }
}
