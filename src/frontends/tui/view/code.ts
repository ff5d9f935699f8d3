import { LANGUAGES, type Language, type Span } from "./languages.ts";
import type { Paint, Theme } from "./theme.ts";

/** A language made ready for painting; undefined: not known, painted as plain code. */
export type Code = Ready | undefined;
type Ready = { pattern: RegExp; words: ReadonlySet<string>; spans: readonly Span[]; language: Language };

/** Nobody reads a line that long for its colours. */
const LONGEST_LINE = 2000;

/** By the name after a fence, such as `ts` or `Python`. */
export function codeOf(name: string): Code {
  const wanted = name.toLowerCase();
  const language = LANGUAGES.find(({ names }) => names.split(" ").includes(wanted));
  if (!language) return undefined;
  const { spans = [], quotes = "", comments = [], keys, ignoresCase } = language;
  const sources = [
    `(?<comment>${comments.join("|") || "(?!)"})`,
    `(?<span>${spans.map(({ open }) => RegExp.escape(open)).join("|") || "(?!)"})`,
    `(?<key>${keys ?? "(?!)"})`,
    `(?<string>${[...quotes].map((quote) => `${quote}(?:\\\\.|[^\\\\${quote}])*${quote}`).join("|") || "(?!)"})`,
    "(?<number>(?<![\\w$])(?:0[xob][\\da-f_]+|\\d[\\d_]*(?:\\.\\d+)?(?:e[+-]?\\d+)?)\\w*)",
    "(?<word>[\\p{L}_$@#][\\p{L}\\p{N}_$]*)",
  ];
  return {
    pattern: new RegExp(sources.join("|"), "giu"),
    words: new Set((ignoresCase ? language.words?.toLowerCase() : language.words)?.split(" ")),
    spans,
    language,
  };
}

/** One line in colours. `inside`: what was not closed before it, and what is not closed after it. */
export function paintCode(
  line: string,
  code: Code,
  inside: Span | undefined,
  theme: Theme,
): { painted: string; inside: Span | undefined } {
  if (!code) return { painted: theme.code(line), inside: undefined };
  if (line.length > LONGEST_LINE) return { painted: line, inside };
  const whole = code.language.lines?.find(([start]) => line.startsWith(start));
  if (whole) return { painted: theme[whole[1]](line), inside };
  let painted = "";
  let at = 0;
  let open = inside;
  if (open) {
    at = endOf(open, line, 0) ?? line.length;
    painted = theme[open.role](line.slice(0, at));
    if (endOf(open, line, 0) !== undefined) open = undefined;
  }
  for (let match = next(code, line, at); match; match = next(code, line, at)) {
    painted += line.slice(at, match.index);
    const { end, paint, span } = tokenOf(match, code, line, theme);
    painted += paint(line.slice(match.index, end));
    at = end;
    open = span;
  }
  return { painted: painted + line.slice(at), inside: open };
}

function next({ pattern }: Ready, line: string, at: number): RegExpExecArray | null {
  if (at >= line.length) return null;
  pattern.lastIndex = at;
  return pattern.exec(line);
}

type Token = { end: number; paint: Paint; span?: Span };

function tokenOf(
  match: RegExpExecArray,
  { spans, words, language }: Ready,
  line: string,
  theme: Theme,
): Token {
  const [text] = match;
  const end = match.index + text.length;
  const { comment, span, string, key, number } = match.groups ?? {};
  if (comment !== undefined) return { end: line.length, paint: theme.comment };
  if (span !== undefined) {
    const found = spans.find(({ open }) => open === text);
    const close = found && endOf(found, line, end);
    const paint = found?.role === "comment" ? theme.comment : theme.string;
    return close === undefined
      ? { end: line.length, paint, ...(found && { span: found }) }
      : { end: close, paint };
  }
  if (string !== undefined) return { end, paint: theme.string };
  if (key !== undefined) return { end, paint: theme.keyword };
  if (number !== undefined) return { end, paint: theme.number };
  const isMember = line[match.index - 1] === ".";
  const isKeyword = !isMember && words.has(language.ignoresCase ? text.toLowerCase() : text);
  return { end, paint: isKeyword ? theme.keyword : plain };
}

function plain(text: string): string {
  return text;
}

/** The index after the closing mark, when there is one from `from` on. */
function endOf({ close, role }: Span, line: string, from: number): number | undefined {
  for (let at = line.indexOf(close, from); at >= 0; at = line.indexOf(close, at + 1))
    if (role === "comment" || line[at - 1] !== "\\") return at + close.length;
  return undefined;
}
