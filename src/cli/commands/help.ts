import type { ExitCode, Io } from "../../protocol/program.ts";
import { parseArgs, unknownSubcommand } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { type ProgramName, programNamed, subcommandNames } from "../names.ts";
import { PROGRAMS, type Program } from "../programs.ts";
import { ROOT } from "../root.ts";
import { notBuilt } from "./not-built.ts";

const HELP_COMMAND = {
  name: `${NAME} help`,
  summary: "Print the help of a command",
  options: [],
  positionals: [{ name: "[COMMAND]...", summary: "The command to explain" }],
} as const;

/** Without a command: the help of the executable. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { positionals, wantsHelp } = parseArgs(HELP_COMMAND, argv);
  const [word, ...rest] = positionals;
  if (wantsHelp || word === undefined) {
    await io.stdout.write(helpText(wantsHelp ? HELP_COMMAND : ROOT));
    return 0;
  }
  const name = programNamed(word);
  if (name === undefined) throw unknownSubcommand(ROOT, word, subcommandNames());
  const { main: explain } = await load(name);
  return await explain([...rest, "--help"], io);
}

async function load(name: ProgramName): Promise<Program> {
  if (name === "help") return { main };
  if (name === "completion") return await import("./completion.ts");
  return (await PROGRAMS[name]?.load()) ?? notBuilt(name);
}
