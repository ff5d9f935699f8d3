import type { Cursor, Parse, Source } from "./cursor.ts";

const BACKSLASH = 92;
const BAR = 124;
const BLOCK_GAP = 0x2581;
const COLON = 58;
const GAP = 95;
const NAMESPACE = 64;
const SPACE = 32;
const SUFFIX = 37;
const LABEL_LENGTH = 12;

/**
 * Where `mark` ends when the text has it at `at`; "open" when the text so far could become it. In a mark `|` stands for
 * every kind of bar, also doubled, and in marks with bars `_` for every kind of gap; `@` is an optional namespace such as
 * `seed:`, `%` an optional suffix such as `:opensource`.
 */
export function matchMark(source: Source, at: number, mark: string): number | "open" | undefined {
  let end = at;
  let hasBars = false;
  for (let i = 0; i < mark.length; i++) {
    const want = mark.charCodeAt(i);
    hasBars ||= want === BAR;
    const next = matchOne(source, end, want, hasBars);
    if (next === undefined) return undefined;
    if (next === "open") return source.hasEnded ? undefined : "open";
    end = next;
  }
  return end;
}

/** Steps over a mark when the text has it, in any of its spellings. */
export function* takeMark(c: Cursor, mark: string): Parse<boolean> {
  for (;;) {
    const end = matchMark(c.source, c.pos, mark);
    if (end === undefined) return false;
    if (end !== "open") {
      c.pos = end;
      return true;
    }
    yield;
  }
}

/** Steps over the first of these marks that the text has. */
export function* takeAnyMark(c: Cursor, marks: readonly string[]): Parse<boolean> {
  for (const mark of marks) if (yield* takeMark(c, mark)) return true;
  return false;
}

/** One of the bars that marks are written with: `|`, U+FF5C or U+2016. */
export function isBar(code: number): boolean {
  return code === BAR || code === 0xff5c || code === 0x2016;
}

function matchOne(source: Source, at: number, want: number, hasBars: boolean): number | "open" | undefined {
  if (want === NAMESPACE) return skipNamespace(source, at);
  if (want === SUFFIX) return skipSuffix(source, at);
  if (at >= source.length) return "open";
  const code = source.code(at);
  if (want === BAR) {
    if (!isBar(code)) return undefined;
    return isBar(source.code(at + 1)) ? at + 2 : at + 1;
  }
  if (code === want) return at + 1;
  if (want !== GAP || !hasBars) return undefined;
  if (code === BLOCK_GAP || code === SPACE) return at + 1;
  if (code !== BACKSLASH) return undefined;
  if (at + 1 >= source.length) return "open";
  return source.code(at + 1) === GAP ? at + 2 : undefined;
}

/** Steps over `seed:`; stays where there is none. */
function skipNamespace(source: Source, at: number): number | "open" {
  const end = skipLabel(source, at);
  if (end === "open") return "open";
  return end > at && source.code(end) === COLON ? end + 1 : at;
}

/** Steps over `:opensource`; stays where there is none. */
function skipSuffix(source: Source, at: number): number | "open" {
  if (at >= source.length) return "open";
  if (source.code(at) !== COLON) return at;
  const end = skipLabel(source, at + 1);
  return end === at + 1 ? at : end;
}

function skipLabel(source: Source, at: number): number | "open" {
  let end = at;
  while (end - at < LABEL_LENGTH && isLetter(source.code(end))) end += 1;
  return end >= source.length && end - at < LABEL_LENGTH ? "open" : end;
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}
