import { readFile, stat } from "node:fs/promises";
import { AppError } from "../../util/errors.ts";
import { walk } from "../../util/walk.ts";
import {
  type FileHits,
  type GrepEngine,
  type GrepLine,
  type GrepQuery,
  MAX_SEARCHED_BYTES,
} from "./grep-query.ts";
import { looksBinary } from "./text.ts";
import { splitLines } from "./text-lines.ts";

/** Searches with the language's own regular expressions, file after file. */
export const walkerGrep: GrepEngine = async function* (query, signal) {
  const pattern = compile(query);
  for await (const path of filesOf(query, signal)) {
    const text = await textOf(path);
    const hits = text === undefined ? [] : searchText(text, pattern, query);
    if (hits.length > 0) yield { path, lines: hits } satisfies FileHits;
  }
};

async function* filesOf(
  { root, accepts, hides, includeIgnored }: GrepQuery,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if ((await stat(root)).isFile()) {
    yield root;
    return;
  }
  for await (const { path, kind } of walk(root, { skip: hides, includeIgnored }, signal))
    if (kind === "file" && accepts(path)) yield path;
}

async function textOf(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile() || stats.size > MAX_SEARCHED_BYTES) return undefined;
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && !looksBinary(bytes) ? bytes.toString("utf8").replace(/^\uFEFF/, "") : undefined;
}

function compile({ pattern, literal, ignoreCase, multiline }: GrepQuery): RegExp {
  const { source, flags } = literal ? { source: RegExp.escape(pattern), flags: "" } : translated(pattern);
  const all = new Set(`g${flags}${ignoreCase ? "i" : ""}m${multiline ? "s" : ""}`);
  const letters = [...all].join("");
  try {
    return new RegExp(source, `${letters}u`);
  } catch {
    // The strict mode refuses escapes such as `\-` that ripgrep takes.
  }
  try {
    return new RegExp(source, letters);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("tool.input", `the pattern is not a regular expression: ${reason}`, { cause });
  }
}

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  space: "\\s",
  upper: "A-Z",
  lower: "a-z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
  punct: "!-\\/:-@\\[-`{-~",
};

/** What ripgrep's syntax has and the language's has not: leading flags, POSIX classes, `\A`, `\z`, `(?P<name>`. */
function translated(pattern: string): { source: string; flags: string } {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern
    .slice(flags?.[0].length ?? 0)
    .replace(/\[:(\w+):\]/g, (whole, name: string) => POSIX_CLASSES[name] ?? whole)
    .replaceAll("(?P<", "(?<")
    .replace(/(?<!\\)\\A/g, "^")
    .replace(/(?<!\\)\\[zZ]/g, "$");
  return { source, flags: flags?.[1] ?? "" };
}

function searchText(text: string, pattern: RegExp, query: GrepQuery): GrepLine[] {
  const { texts } = splitLines(text);
  const matching = query.multiline
    ? linesOfMatches(text, pattern)
    : texts.flatMap((line, i) => (testLine(pattern, line) ? [i] : []));
  if (matching.length === 0) return [];
  const hits = new Set(matching);
  const shown = new Set<number>();
  for (const at of matching)
    for (let i = Math.max(0, at - query.before); i <= Math.min(texts.length - 1, at + query.after); i++)
      shown.add(i);
  return [...shown]
    .sort((a, b) => a - b)
    .map((i) => ({ number: i + 1, text: texts[i] ?? "", matches: hits.has(i) }));
}

function testLine(pattern: RegExp, line: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(line);
}

function linesOfMatches(text: string, pattern: RegExp): number[] {
  const lines: number[] = [];
  let line = 0;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === "") continue;
    for (; at < match.index; at++) if (text[at] === "\n") line++;
    const more = match[0].replace(/\n$/, "").split("\n").length - 1;
    for (let i = line; i <= line + more; i++) if (lines.at(-1) !== i) lines.push(i);
  }
  return lines;
}
