import { overridesFrom, workingDirectory } from "../../config/flags.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import type { Override } from "../../config/overrides.ts";
import { userHome } from "../../config/paths.ts";
import type { Io } from "../../protocol/program.ts";
import { AppError } from "../../util/errors.ts";
import { factsOf } from "../../util/fs.ts";
import type { TuiRequest } from "./options.ts";

/** The directory of the conversation, absolute. Throws AppError "config" when there is none. */
export function directoryOf({ options }: TuiRequest, io: Io): string {
  const cwd = workingDirectory(options, io.cwd, userHome(io.env));
  const found = factsOf(cwd);
  if (found?.isDirectory()) return cwd;
  throw new AppError(
    "config",
    `the working directory ${cwd} ${found ? "is not a directory" : "does not exist"}`,
    {
      hint: "name another one with --cd DIR",
    },
  );
}

/** The settings of the run; `changes` are what the user has chosen since the start. Throws AppError "config". */
export async function settingsOf(
  { options }: TuiRequest,
  io: Io,
  cwd: string,
  changes: readonly Override[],
): Promise<LoadedConfig> {
  return await loadConfig({
    env: io.env,
    cwd,
    overrides: [...overridesFrom(options, cwd), ...changes],
    profile: options.value("profile"),
    strict: options.has("strict-config"),
  });
}

/** The same outside world with more variables. */
export function withEnv(io: Io, more: Io["env"]): Io {
  if (Object.keys(more).length === 0) return io;
  const { stdin, stdout, stderr, cwd, signal } = io;
  return { stdin, stdout, stderr, cwd, signal, env: { ...io.env, ...more } };
}
