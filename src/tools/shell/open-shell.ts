import type { RunContext, ToolContext } from "../types.ts";
import { namedShell, userShell } from "./detect.ts";
import { launch } from "./launch.ts";
import type { LiveCommand } from "./live-command.ts";

type Started = Promise<LiveCommand | { problem: string }>;

/** The program of a shell that stays open. */
export function shellPath({ env }: Pick<ToolContext, "env">): string {
  return (namedShell("bash", env) ?? userShell(env)).path;
}

/** A shell as a person sees it: it asks for commands and repeats what is typed. */
export function promptingShell(ctx: RunContext): Started {
  return open(ctx, { PS1: "\\w\\$ " });
}

/** What `quietShell` says once it repeats nothing any more; typed before that, a command would stand in its own output. */
export const READY = "shell-is-ready";

/** A shell that shows only what commands write. */
export function quietShell(ctx: RunContext): Started {
  return open(ctx, { PS1: "", PS2: "" }, `stty -echo; echo ${READY}; `);
}

function open(ctx: RunContext, own: Record<string, string>, before = ""): Started {
  const path = shellPath(ctx);
  const options = /bash$/.test(path) ? "--noprofile --norc --noediting +H" : "";
  const argv = ["/bin/sh", "-c", `${before}exec "$0" ${options} -i`, path];
  return launch({ argv, cwd: ctx.cwd, tty: true }, { ...ctx, env: { ...ctx.env, ...own } });
}

/** A terminal takes lines of at most this many bytes and drops the rest without a word. */
const LONGEST_LINE = 4000;

export function longLineProblem(typed: string): string | undefined {
  const isLong = typed.split("\n").some((line) => Buffer.byteLength(line) > LONGEST_LINE);
  return isLong
    ? `a line has more than ${LONGEST_LINE} bytes, which a terminal does not take; split it`
    : undefined;
}
