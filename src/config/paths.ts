import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { AppError } from "../util/errors.ts";
import { factsOf } from "../util/fs.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export const PROJECT_FOLDER = ".openinterpreter";
export const CONFIG_FILE = "config.toml";
/** Where a folder of a project may hold skills, in the order in which they count. */
export const PROJECT_SKILLS: readonly string[] = [`${PROJECT_FOLDER}/skills`, ".agents/skills"];

/**
 * The folder of settings, sessions and logs, absolute: `INTERPRETER_HOME`, which must exist, or else
 * `~/.openinterpreter`, which need not exist yet. Throws AppError "config".
 */
export async function findHome(env: Env): Promise<string> {
  const chosen = env["INTERPRETER_HOME"];
  if (chosen === undefined || chosen === "") return join(userHome(env), PROJECT_FOLDER);
  const home = resolve(chosen);
  const found = factsOf(home);
  if (found?.isDirectory()) return home;
  const problem = found === undefined ? "that path does not exist" : "that path is not a directory";
  throw new AppError("config", `INTERPRETER_HOME points to "${chosen}", but ${problem}`, {
    hint: `create the directory, or unset INTERPRETER_HOME to use ~/${PROJECT_FOLDER}`,
  });
}

/** The home directory of the person, as the environment has it. */
export function userHome(env: Env): string {
  return env["HOME"] || env["USERPROFILE"] || homedir();
}

/** Settings for all users of this machine. */
export function systemConfigFile(env: Env): string {
  if (process.platform !== "win32") return `/etc/openinterpreter/${CONFIG_FILE}`;
  return join(env["ProgramData"] ?? "C:\\ProgramData", "OpenInterpreter", CONFIG_FILE);
}

/** Makes `path` absolute: `~` is the person's home directory, everything else starts at `base`. */
export function resolvePath(base: string, path: string, home: string | undefined): string {
  if (path === "~") return home ?? homedir();
  if (/^~[/\\]/.test(path)) return join(home ?? homedir(), path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(base, path);
}
