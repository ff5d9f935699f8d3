import { statSync } from "node:fs";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import { AppError } from "../../util/errors.ts";
import { shellQuote } from "../../util/shell-quote.ts";
import type { RunContext } from "../types.ts";
import { NETWORK_OFF, networkMark } from "./env.ts";
import { LiveCommand } from "./live-command.ts";
import { splitLongScript } from "./long-script.ts";
import { processes } from "./processes.ts";
import { withFolderInScript, withFolderOnPath } from "./script-path.ts";

/** `argv` as people see it; `cwd` is absolute. */
export type CommandRequest = {
  argv: string[];
  cwd: string;
  tty: boolean;
  /** What the command reads; with `stays` more may follow. Without it there is nothing to read. */
  stdin?: { text: string; stays: boolean };
};

/** Starts a command in the sandbox that policy chose. `problem` says why it could not be started. */
export async function launch(
  { argv, cwd, tty, stdin }: CommandRequest,
  ctx: RunContext,
): Promise<LiveCommand | { problem: string }> {
  const problem = folderProblem(cwd);
  if (problem) return { problem };
  try {
    const programs = ctx.programs?.path();
    const command = {
      argv: splitLongScript(withFolderInScript(argv, programs)),
      cwd,
      env: withFolderOnPath(environment(ctx), programs),
    };
    const spec = await ctx.sandbox.wrap(command, ctx.policy, { tty });
    if (ctx.signal.aborted) {
      spec.release();
      return { problem: "aborted by the user before it started" };
    }
    const facts = { command: shellQuote(argv), cwd, tty, policy: ctx.policy };
    const live = new LiveCommand(spec, { ...facts, hasInput: stdin !== undefined }, (chunk) =>
      ctx.item.delta(chunk),
    );
    if (stdin?.text) live.write(stdin.text);
    if (stdin && !stdin.stays) live.closeInput();
    ctx.memory.get(processes).track(live);
    return live;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { problem: cause.hint ? `${cause.message} (${cause.hint})` : cause.message };
  }
}

/** The system's own error names the program, not the folder. */
function folderProblem(cwd: string): string | undefined {
  try {
    return statSync(cwd).isDirectory() ? undefined : `the working folder ${cwd} is not a folder`;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return `the working folder ${cwd} does not exist`;
    return `the working folder ${cwd} cannot be entered (${code})`;
  }
}

function environment({ env, policy }: RunContext): Record<string, string> {
  const { [NETWORK_OFF]: _, ...rest } = env;
  return { ...rest, ...networkMark(isNetworkOff(policy)) };
}

function isNetworkOff(policy: SandboxPolicy): boolean {
  return policy.mode !== "off" && !policy.network;
}
