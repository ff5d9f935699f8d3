import { RUN_OPTIONS, TUI_OPTIONS } from "../config/flags.ts";
import { type CommandSpec, parseArgs, unknownSubcommand } from "../util/args.ts";
import { NAME } from "../util/package.ts";
import { type Choice, chooseSubcommand } from "./dispatch.ts";
import { factsOf, type ProgramName, subcommandNames } from "./names.ts";
import { PROGRAMS } from "./programs.ts";

const VERSION_OPTION = { long: "version", short: "V", summary: "Print the version" } as const;

/** The command line of the executable itself. */
export const ROOT = {
  name: NAME,
  summary: `A coding agent for the terminal. ${
    isBuilt("tui") ? "Without a command it starts a conversation." : `Start with: ${NAME} exec "your task"`
  }`,
  options: [...RUN_OPTIONS, ...TUI_OPTIONS, VERSION_OPTION],
  positionals: [{ name: "[PROMPT]", summary: "First message of the conversation" }],
  subcommands: subcommandNames().map((name) => {
    const { summary, aliases = [], hidden = false } = factsOf(name);
    return { name, summary: isBuilt(name) ? summary : `${summary} (not built yet)`, aliases, hidden };
  }),
} as const satisfies CommandSpec;

function isBuilt(name: ProgramName): boolean {
  return Object.hasOwn(PROGRAMS, name) || name === "help" || name === "completion";
}

/** Finds the subcommand after leading options; it gets those options in front of its own. */
export function chooseBehindOptions(argv: readonly string[]): Choice {
  const parsed = parseArgs(ROOT, argv);
  if (parsed.has("version")) return { kind: "version" };
  if (parsed.wantsHelp) return { kind: "program", program: "help", argv: [] };
  const behind = parsed.subcommand?.argv;
  if (behind === undefined) return { kind: "program", program: "tui", argv };
  const at = argv.length - behind.length - 1;
  const choice = chooseSubcommand(argv.slice(at));
  if (choice?.kind !== "program") return { kind: "program", program: "tui", argv };
  return { ...choice, argv: [...argv.slice(0, at), ...choice.argv] };
}

export function mistyped(word: string, meant: string): Error {
  return unknownSubcommand(ROOT, word, [meant]);
}
