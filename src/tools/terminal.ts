import { z } from "zod";
import { truncateMiddle } from "../util/truncate.ts";
import { defineTool } from "./define.ts";
import { refused } from "./results.ts";
import { keptShell } from "./shell/kept-shell.ts";
import { readable } from "./shell/model-text.ts";
import { notStarted } from "./shell/not-started.ts";
import { longLineProblem, promptingShell, shellPath } from "./shell/open-shell.ts";
import type { RunContext, ToolResult } from "./types.ts";

const TerminalInput = z.looseObject({
  commands: z.array(z.looseObject({ keystrokes: z.string(), duration: z.number().optional() })).default([]),
  /** Bytes of the new output that are shown, of its beginning and its end. */
  maxBytes: z.number().int().positive().optional(),
  /** Passed on to result templates. */
  note: z.string().optional(),
});
type TerminalInput = z.infer<typeof TerminalInput>;

const USUAL_SECONDS = 1;
const LONGEST_SECONDS = 60;
const MAX_BYTES = 10_000;
const FIRST_PROMPT_MS = 3000;

/**
 * Native "terminal": types into a shell that stays open for the session, and answers with what came on the screen. The
 * duration of a command (seconds) is the longest wait: the prompt's return ends it.
 */
export const terminal = defineTool<TerminalInput>({
  name: "terminal",
  schema: TerminalInput,
  parallel: false,
  async prepare(input, ctx) {
    const script = input.commands.map(({ keystrokes }) => keystrokes).join("");
    const problem = longLineProblem(script);
    if (problem) return refused(problem);
    const argv = [shellPath(ctx), "-c", script];
    const shown = {
      kind: "command",
      command: script.trimEnd(),
      cwd: ctx.cwd,
      output: "",
      durationMs: 0,
    } as const;
    return {
      ready: {
        access: { argv },
        subject: { kind: "command", argv, cwd: ctx.cwd },
        shown,
        run: (run) => type(input, script, run),
      },
    };
  },
});

async function type(input: TerminalInput, script: string, ctx: RunContext): Promise<ToolResult> {
  const begin = performance.now();
  const shell = await keptShell(ctx, promptingShell);
  if ("problem" in shell) return notStarted({ argv: [script], cwd: ctx.cwd, tty: true }, shell.problem);
  if (shell.isNew) await shell.settle(FIRST_PROMPT_MS, ctx.signal, asksForMore);
  for (const { keystrokes, duration = USUAL_SECONDS } of input.commands) {
    if (!shell.type(keysOf(keystrokes))) break;
    const seconds = Math.min(LONGEST_SECONDS, Math.max(0, duration));
    await shell.settle(seconds * 1000, ctx.signal, asksForMore);
    if (ctx.signal.aborted) break;
  }
  const full = readable(shell.takeScreen());
  const output = truncateMiddle(full, { unit: "bytes", limit: input.maxBytes ?? MAX_BYTES });
  const fields = { output, note: input.note ?? "", isNew: shell.isNew, ended: shell.hasEnded };
  return {
    ok: true,
    content: [{ type: "input_text", text: output === "" ? "(nothing new on the screen)" : output }],
    fields,
    detail: {
      kind: "command",
      command: script.trimEnd(),
      cwd: ctx.cwd,
      output: full,
      durationMs: Math.round(performance.now() - begin),
    },
  };
}

/** Keys that have a name when they are the whole text, as terminal multiplexers call them. */
const NAMED: Readonly<Record<string, string>> = {
  "C-c": "\u0003",
  "C-d": "\u0004",
  "C-z": "\u001a",
  "C-l": "\u000c",
  Enter: "\r",
  Escape: "\u001b",
  Tab: "\t",
};

function keysOf(keystrokes: string): string {
  return Object.hasOwn(NAMED, keystrokes) ? (NAMED[keystrokes] ?? "") : keystrokes;
}

/** Does the screen end as the prompt of a shell does? */
function asksForMore(end: string): boolean {
  return /[$#] $/.test(readable(end.slice(-500)));
}
