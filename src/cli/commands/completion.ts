import type { ExitCode, Io } from "../../protocol/program.ts";
import { type CommandSpec, parseArgs, unknownWord } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { type CompletedCommand, completionScript, isShell, SHELLS } from "../completion-scripts.ts";
import { factsOf, subcommandNames } from "../names.ts";
import { PROGRAMS } from "../programs.ts";
import { ROOT } from "../root.ts";

export const COMPLETION_COMMAND = {
  name: `${NAME} completion`,
  summary: "Print a completion script for a shell",
  options: [],
  positionals: [{ name: "[SHELL]", summary: `One of ${SHELLS.join(", ")}; bash when absent` }],
  notes: `For bash, add to ~/.bashrc: source <(${NAME} completion bash)`,
} as const satisfies CommandSpec;

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { positionals, wantsHelp } = parseArgs(COMPLETION_COMMAND, argv);
  const shell = positionals[0] ?? "bash";
  if (!isShell(shell) && !wantsHelp) throw unknownWord(COMPLETION_COMMAND, "[SHELL]", shell, SHELLS);
  await io.stdout.write(
    isShell(shell) && !wantsHelp ? completionScript(shell, await commands()) : helpText(COMPLETION_COMMAND),
  );
  return 0;
}

/** The executable itself first, under the empty name. */
async function commands(): Promise<CompletedCommand[]> {
  const visible = subcommandNames().filter((name) => !factsOf(name).hidden);
  const described = visible.map(async (name) => {
    const command = name === "completion" ? COMPLETION_COMMAND : await PROGRAMS[name]?.command?.();
    return { name, summary: factsOf(name).summary, options: command?.options ?? [] };
  });
  return [{ name: "", summary: ROOT.summary, options: ROOT.options }, ...(await Promise.all(described))];
}
