import { join } from "node:path";
import { CONFIG_FILE, PROJECT_FOLDER, userHome } from "../../../config/paths.ts";
import { readOrdinaryTextNow } from "../../../util/fs.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Lines only, instead of a screen: for a terminal that can do no more, by option, or by `tui.plain`. Decided before
 * anything is drawn, so that the settings are not read for it, only looked through.
 */
export function isPlain(hasOption: boolean, env: Env): boolean {
  return hasOption || env["TERM"] === "dumb" || saysPlain(env);
}

/** Bytes. */
const LONGEST_FILE = 2 ** 20;

function saysPlain(env: Env): boolean {
  const home = env["INTERPRETER_HOME"] || join(userHome(env), PROJECT_FOLDER);
  const text = readOrdinaryTextNow(join(home, CONFIG_FILE), LONGEST_FILE) ?? "";
  const own = /^\s*\[tui\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(text)?.[1] ?? "";
  return /^\s*plain\s*=\s*true\b/m.test(own) || /^\s*tui\.plain\s*=\s*true\b/m.test(text);
}
