import { parse } from "smol-toml";
import { AppError } from "../util/errors.ts";

/** One value that the command line puts above every file. `option` is how it was given, e.g. `--model` or `-c`. */
export type Override = { path: readonly string[]; option: string } & (
  | { set: unknown }
  /** The key falls back to its default, whatever the files say. */
  | { unset: true }
  /** Takes the value of another key, or `otherwise` when that one is not set. */
  | { copyOf: readonly string[]; otherwise: unknown }
  /** Adds to a list instead of replacing it. */
  | { append: readonly unknown[] }
);

const WANTED = "Error parsing -c overrides";

/** Reads `key=value` of `-c`: a dotted path with optional quoting, and a TOML value or else the text as it is. */
export function parseOverride(text: string): Override {
  const { key, value } = splitAtEquals(text);
  const path = parseKeyPath(key);
  if (path.length === 0 || path.includes("")) {
    throw new AppError("config", `${WANTED}: Empty key in override: ${text}`, {
      hint: "write it as -c key=value, for example -c model_reasoning_effort=high",
    });
  }
  return { path, option: "-c", set: parseValue(value) };
}

/** Splits a dotted path; a segment may be quoted with `"` or `'`. Unquoted segments are taken as they are. */
export function parseKeyPath(text: string): string[] {
  const path: string[] = [];
  const segment = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^.]*?))\s*(?:\.|$)/y;
  while (segment.lastIndex < text.length) {
    const match = segment.exec(text);
    if (match === null) return [text];
    path.push(match[1]?.replace(/\\(.)/g, "$1") ?? match[2] ?? match[3] ?? "");
  }
  if (text.endsWith(".")) path.push("");
  return path;
}

function splitAtEquals(text: string): { key: string; value: string } {
  const quotedAware = /^((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'=])*)=/.exec(text);
  const at = quotedAware?.[1]?.length ?? text.indexOf("=");
  if (at < 0) {
    throw new AppError("config", `${WANTED}: Invalid override (missing '='): ${text}`, {
      hint: "write it as -c key=value, for example -c model_reasoning_effort=high",
    });
  }
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

function parseValue(text: string): unknown {
  try {
    const table = parse(`value = ${text}`);
    // A line break in the text could start a second key; then it is not a single TOML value.
    return Object.keys(table).length === 1 ? table["value"] : text;
  } catch {
    return text;
  }
}
