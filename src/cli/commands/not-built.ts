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
      if (name === "tui") {
        throw new AppError("usage", "the interactive program is not built yet", {
          hint: `run one task with: ${NAME} exec "your task"`,
        });
      }
      throw new AppError("usage", `'${NAME} ${name}' is not built yet`, {
        hint: `'${NAME} --help' lists all commands`,
      });
    },
  };
}
