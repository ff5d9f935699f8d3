import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Env, PROJECT_FOLDER, userHome } from "../config/paths.ts";
import { toAppError } from "../util/errors.ts";
import { VERSION } from "../util/package.ts";

/**
 * Keeps the stack of a fault of the program for a bug report; expected errors are not recorded. Only the frames: the
 * message, which may quote anything, was shown to the user.
 */
export function logCrash(cause: unknown, env: Env): void {
  if (toAppError(cause).code !== "bug") return;
  const home = env["INTERPRETER_HOME"] || join(userHome(env), PROJECT_FOLDER);
  const stack = cause instanceof Error ? (cause.stack ?? "") : "";
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  const name = cause instanceof Error ? cause.name : typeof cause;
  const record = {
    time: new Date().toISOString(),
    level: "error",
    area: "crash",
    version: VERSION,
    name,
    frames,
  };
  try {
    mkdirSync(join(home, "log"), { recursive: true, mode: 0o700 });
    appendFileSync(join(home, "log", "crash.log"), `${JSON.stringify(record)}\n`, { mode: 0o600 });
  } catch {
    // Nothing more can be done for a record of a failure that could not be written.
  }
}
