import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Env, PROJECT_FOLDER, userHome } from "../config/paths.ts";
import { readOrdinaryTextNow } from "../util/fs.ts";

/** The environment, completed by `.env` in the settings folder. What is set already wins. */
export function environmentWithHome(env: Env): Env {
  const home = env["INTERPRETER_HOME"] || join(userHome(env), PROJECT_FOLDER);
  const file = join(home, ".env");
  // Asked first because a failed look costs ten times as much, and few have the file.
  const text = existsSync(file) ? readOrdinaryTextNow(file, LONGEST_FILE) : undefined;
  return text === undefined ? env : { ...parseDotEnv(text), ...env };
}

/** Bytes. */
const LONGEST_FILE = 2 ** 20;

/** `NAME=value` lines, with optional `export`, quotes and comments. Names of the program's own switches are left out. */
export function parseDotEnv(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const line =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^#\r\n]*))/gm;
  for (const [, name = "", double, single, bare = ""] of text.matchAll(line)) {
    if (/^(CODEX_|INTERPRETER_)/i.test(name)) continue;
    found[name] = double?.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1") ?? single ?? bare.trim();
  }
  return found;
}
