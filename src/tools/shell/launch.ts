import { statSync } from "node:fs";
import type { CommandSpec, SandboxPolicy } from "../../protocol/policy.ts";
import { AppError } from "../../util/errors.ts";
import { shellQuote } from "../../util/shell-quote.ts";
import type { RunContext } from "../types.ts";
import { NETWORK_OFF, networkMark } from "./env.ts";
import { LiveCommand, type Start } from "./live-command.ts";
import { splitLongScript } from "./long-script.ts";
import { startProcess } from "./process.ts";
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
  request: CommandRequest,
  ctx: RunContext,
): Promise<LiveCommand | { problem: string }> {
  const { argv, cwd, tty, stdin } = request;
  const problem = folderProblem(cwd);
  if (problem) return { problem };
  try {
    const programs = ctx.programs?.path();
    const command = {
      argv: splitLongScript(withFolderInScript(argv, programs)),
      cwd,
      env: withFolderOnPath(environment(ctx), programs),
    };
    const hosted = await startAtHost(request, command, ctx);
    const start = hosted ?? (await startHere(request, command, ctx));
    if (typeof start !== "function") return start;
    const isHosted = hosted !== undefined;
    const facts = { command: shellQuote(argv), cwd, tty, policy: ctx.policy, isHosted };
    const live = new LiveCommand(start, facts, (chunk) => ctx.item.delta(chunk));
    if (stdin?.text) live.write(stdin.text);
    if (stdin && !stdin.stays) live.closeInput();
    ctx.memory.get(processes).track(live);
    return live;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { problem: cause.hint ? `${cause.message} (${cause.hint})` : cause.message };
  }
}

async function startHere(
  { tty, stdin }: CommandRequest,
  command: CommandSpec,
  ctx: RunContext,
): Promise<Start | { problem: string }> {
  const spec = await ctx.sandbox.wrap(command, ctx.policy, { tty });
  if (ctx.signal.aborted) {
    spec.release();
    return { problem: "aborted by the user before it started" };
  }
  return (onText) => startProcess(spec, { tty, hasInput: stdin !== undefined }, onText);
}

/** Undefined for what nobody but us can run. */
async function startAtHost(
  { tty, stdin }: CommandRequest,
  command: CommandSpec,
  { host, policy, callId, signal }: RunContext,
): Promise<Start | { problem: string } | undefined> {
  if (!host || policy.mode !== "off" || tty || stdin !== undefined) return undefined;
  const hosted = await host.start({ ...command, callId }, signal);
  if (hosted === undefined || "problem" in hosted) return hosted;
  return (onText) => {
    hosted.listen(onText);
    return {
      pid: hosted.pid,
      ended: hosted.ended,
      write: () => false,
      closeInput: () => {},
      // There is no gentler word for it.
      interrupt: () => void hosted.kill(),
      catchUp: () => hosted.catchUp(),
      kill: () => hosted.kill(),
      release: () => hosted.release(),
    };
  };
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
