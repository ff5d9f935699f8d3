import { nearMissText } from "./near-miss.ts";
import { splitLines, usualEnd } from "./text-lines.ts";

/** `lines`: where each replacement begins in the new text, from 1; the first one reaches from `firstLine` to `lastLine`. */
export type Replaced =
  | { text: string; lines: number[]; firstLine: number; lastLine: number }
  | { problem: string; case: "no_match" | "ambiguous" };

/**
 * Replaces `wanted` where it stands exactly once, or everywhere with `all`. Line ends need not be those of the file, and
 * the new text gets the file's. `path` is for the problem's text.
 */
export function replaceText(
  text: string,
  { wanted, replacement, all, path }: { wanted: string; replacement: string; all: boolean; path: string },
): Replaced {
  const matches = [...text.matchAll(anyLineEnds(wanted))];
  if (matches.length === 0) return { problem: nearMissText(text, wanted, path), case: "no_match" };
  if (matches.length > 1 && !all) return { problem: severalPlaces(text, matches, path), case: "ambiguous" };

  const fileEnd = usualEnd(splitLines(text).ends);
  const pieces: string[] = [];
  const lines: number[] = [];
  let from = 0;
  let line = 1;
  let lastLine = 1;
  for (const match of matches) {
    const before = text.slice(from, match.index);
    const placed = withEnd(replacement, endIn(match[0]) ?? fileEnd);
    line += countLineEnds(before);
    lines.push(line);
    line += countLineEnds(placed);
    if (lines.length === 1) lastLine = line;
    pieces.push(before, placed);
    from = match.index + match[0].length;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(""), lines, firstLine: lines[0] ?? 1, lastLine };
}

function anyLineEnds(wanted: string): RegExp {
  const escaped = wanted.replaceAll("\r\n", "\n").replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(escaped.replaceAll("\n", "\\r?\\n"), "g");
}

function severalPlaces(text: string, matches: readonly RegExpExecArray[], path: string): string {
  const lines = matches.slice(0, 10).map(({ index }) => 1 + countLineEnds(text.slice(0, index)));
  const more = matches.length > lines.length ? ", …" : "";
  return `the text to replace stands ${matches.length} times in ${path} (lines ${lines.join(", ")}${more}); add lines around it until it is unique, or replace all of them`;
}

function endIn(text: string): "\n" | "\r\n" | undefined {
  return text.includes("\n") ? usualEnd(splitLines(text).ends) : undefined;
}

function withEnd(text: string, end: "\n" | "\r\n"): string {
  const plain = text.replaceAll("\r\n", "\n");
  return end === "\n" ? plain : plain.replaceAll("\n", end);
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
