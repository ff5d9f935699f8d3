import type { Io } from "../../protocol/program.ts";
import { AppError } from "../../util/errors.ts";
import { NAME } from "../../util/package.ts";
import { factsOf, type ProgramName } from "../names.ts";
import type { Program } from "../programs.ts";

/** Stands in for a planned program: explains itself, and never looks as if it had worked. */
export function notBuilt(name: ProgramName): Program {
  return {
    async main(argv: readonly string[], io: Io) {
      const wantsHelp = argv.includes("--help") || argv.includes("-h");
      if (wantsHelp) {
        await io.stdout.write(
          `${factsOf(name).summary}\n\nUsage: ${NAME} ${name}\n\nThis command is not built yet.\n`,
        );
        return 0;
      }
      const what = name === "tui" ? "the interactive program" : `'${NAME} ${name}'`;
      throw new AppError("usage", `${what} is not built yet`, {
        hint: INSTEAD[name] ?? `'${NAME} --help' lists all commands`,
      });
    },
  };
}

/** The way to the same end that exists today. */
const INSTEAD: { readonly [Name in ProgramName]?: string } = {
  tui: `run one task with: ${NAME} exec "your task"`,
  resume: `use: ${NAME} exec resume SESSION_ID "your task"`,
  fork: `use: ${NAME} exec fork SESSION_ID "your task"`,
  login: `keys are read from variables such as OPENAI_API_KEY; '${NAME} exec' names the one that is missing`,
};
