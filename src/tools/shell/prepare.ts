import { resolve } from "node:path";
import { z } from "zod";
import { shellQuote } from "../../util/shell-quote.ts";
import { refused } from "../results.ts";
import type { Prepared, RunContext, ToolContext, ToolResult } from "../types.ts";
import { namedShell, shellArgv, userShell } from "./detect.ts";
import type { CommandRequest } from "./launch.ts";

/** What all tools that run a command take. */
export const commandFields = {
  command: z.string(),
  workdir: z.string().optional(),
  shell: z.string().optional(),
  login: z.boolean().optional(),
  escalate: z.boolean().optional(),
  justification: z.string().optional(),
  prefixRule: z.array(z.string()).optional(),
};
const CommandInput = z.object(commandFields);
export type CommandInput = z.infer<typeof CommandInput>;

/**
 * Makes a shell command ready to run. A folder that does not exist is no reason to refuse: people see the attempt and
 * its failure. A script that is nothing but a patch becomes one.
 */
export async function prepareCommand(
  input: CommandInput & { tty?: boolean; stdin?: CommandRequest["stdin"] },
  ctx: ToolContext,
  run: (request: CommandRequest, ctx: RunContext) => Promise<ToolResult>,
): Promise<Prepared> {
  if (input.command.includes("\0")) return refused("a command can't hold a NUL character; write it without");
  const cwd = resolve(ctx.cwd, input.workdir ?? "");
  const patch = await asPatch(input.command, cwd, ctx);
  if (patch) return patch;
  const shell = input.shell ? namedShell(input.shell, ctx.env) : userShell(ctx.env);
  if (!shell) return refused(`no shell ${input.shell} was found; leave "shell" out to use the user's own`);
  const argv = shellArgv(shell, input.command, input.login ?? true);
  const { stdin } = input;
  const request = { argv, cwd, tty: input.tty ?? false, ...(stdin === undefined ? {} : { stdin }) };
  const proposedRule = input.prefixRule?.length ? { proposedRule: input.prefixRule } : {};
  const justification = input.justification ? { justification: input.justification } : {};
  return {
    ready: {
      access: { argv },
      subject: { kind: "command", argv, cwd, ...proposedRule },
      ...(input.escalate ? { escalate: justification } : {}),
      shown: { kind: "command", command: shellQuote(argv), cwd, output: "", durationMs: 0 },
      run: (runCtx) => run(request, runCtx),
    },
  };
}

async function asPatch(command: string, cwd: string, ctx: ToolContext): Promise<Prepared | undefined> {
  if (!/apply_?patch|\*\*\* Begin Patch/.test(command)) return undefined;
  const { patchFromShell } = await import("../patch/from-shell.ts");
  const found = patchFromShell(command);
  if (!found) return undefined;
  const { preparePatch } = await import("../apply-patch.ts");
  return preparePatch(found.patch, resolve(cwd, found.workdir ?? ""), ctx);
}
