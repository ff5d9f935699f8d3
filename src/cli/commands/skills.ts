import type { ExitCode, Io } from "../../protocol/program.ts";
import { type CommandSpec, parseArgs, usageError } from "../../util/args.ts";
import { helpText } from "../../util/help.ts";
import { NAME } from "../../util/package.ts";
import { LIST, NEW, SHOW, VALIDATE } from "./skills/options.ts";

const ACTIONS = {
  list: async (argv: readonly string[], io: Io) => (await import("./skills/list.ts")).showSkills(argv, io),
  show: async (argv: readonly string[], io: Io) => (await import("./skills/show.ts")).showSkill(argv, io),
  new: async (argv: readonly string[], io: Io) => (await import("./skills/new.ts")).newSkill(argv, io),
  validate: async (argv: readonly string[], io: Io) =>
    (await import("./skills/validate.ts")).validateSkills(argv, io),
} as const;

export const SKILLS_COMMAND = {
  name: `${NAME} skills`,
  summary: "List, make and check skills",
  options: [],
  subcommands: [
    { name: "list", summary: LIST.summary },
    { name: "show", summary: SHOW.summary },
    { name: "new", summary: NEW.summary },
    { name: "validate", summary: VALIDATE.summary },
  ],
} as const satisfies CommandSpec;

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { subcommand, wantsHelp } = parseArgs(SKILLS_COMMAND, argv);
  if (subcommand !== undefined && isAction(subcommand.name))
    return ACTIONS[subcommand.name](wantsHelp ? ["--help"] : subcommand.argv, io);
  if (!wantsHelp) throw usageError(SKILLS_COMMAND, "wanted one of list, show, new, validate");
  await io.stdout.write(helpText(SKILLS_COMMAND));
  return 0;
}

function isAction(name: string): name is keyof typeof ACTIONS {
  return Object.hasOwn(ACTIONS, name);
}
