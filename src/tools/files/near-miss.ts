import { numberedRegion } from "./numbered.ts";
import { splitLines } from "./text-lines.ts";

/** Below this likeness a region would mislead more than help. */
const LEAST_LIKENESS = 0.5;
const MAX_QUOTED = 12;
/** Of a longer file only this many lines are compared. */
const MAX_COMPARED = 20_000;
const MAX_STARTS = 20;

type Region = { from: number; likeness: number };

/** Says that a text is not in the file, and quotes the region that is most like it, so that it can be copied from there. */
export function nearMissText(text: string, wanted: string, path: string): string {
  const missing = `the text to replace was not found in ${path}`;
  const lines = splitLines(text).texts.slice(0, MAX_COMPARED);
  const wantedLines = trimBlankEnds(splitLines(wanted).texts);
  const region = closestRegion(lines, wantedLines);
  if (!region) return `${missing}; read the file and copy the text from it`;
  const to = Math.min(lines.length, region.from + wantedLines.length - 1, region.from + MAX_QUOTED - 1);
  const quoted = numberedRegion(lines, region.from, to);
  return `${missing}. The closest text is at line ${region.from}:\n${quoted}\n${firstDifference(lines, wantedLines, region.from)}Copy the text exactly as it is in the file, without the numbers`;
}

function trimBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** Lines that are most like the longest wanted line tell where to look closer. */
function closestRegion(lines: readonly string[], wanted: readonly string[]): Region | undefined {
  const anchor = wanted.reduce(
    (best, line, i) => (line.trim().length > (wanted[best] ?? "").trim().length ? i : best),
    0,
  );
  const anchorPairs = pairsOf(wanted[anchor] ?? "");
  const starts = lines
    .map((line, i) => ({ at: i - anchor, likeness: likeness(anchorPairs, pairsOf(line)) }))
    .filter(({ at, likeness }) => at >= 0 && likeness > 0)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_STARTS);
  let best: Region | undefined;
  for (const { at } of starts) {
    const found = regionLikeness(lines, wanted, at);
    if (found >= LEAST_LIKENESS && (!best || found > best.likeness)) best = { from: at + 1, likeness: found };
  }
  return best;
}

function regionLikeness(lines: readonly string[], wanted: readonly string[], at: number): number {
  const sum = wanted.reduce(
    (total, line, i) => total + likeness(pairsOf(line), pairsOf(lines[at + i] ?? "")),
    0,
  );
  return wanted.length === 0 ? 0 : sum / wanted.length;
}

/** Share of common neighbouring letters, 0 to 1; the blanks at both ends don't count. */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  let total = 0;
  for (const [pair, count] of a) {
    common += Math.min(count, b.get(pair) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 1 : (2 * common) / total;
}

function pairsOf(line: string): Map<string, number> {
  const text = line.trim().slice(0, 200);
  const pairs = new Map<string, number>();
  if (text.length === 1) pairs.set(text, 1);
  for (let i = 0; i + 1 < text.length; i++) {
    const pair = text.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** What a reader of numbered lines can't see: that only blanks differ. */
function firstDifference(lines: readonly string[], wanted: readonly string[], from: number): string {
  const at = wanted.findIndex((line, i) => line !== lines[from - 1 + i]);
  const there = lines[from - 1 + at];
  const asked = wanted[at];
  if (there === undefined || asked === undefined || there.trim() !== asked.trim()) return "";
  const sides =
    leading(there) === leading(asked)
      ? "at its end"
      : `in front (the file has ${named(leading(there))}, the call ${named(leading(asked))})`;
  return `Line ${from + at} differs only in the blanks ${sides}. `;
}

function leading(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function named(blanks: string): string {
  if (blanks === "") return "none";
  const tabs = blanks.split("\t").length - 1;
  const parts = [
    tabs > 0 ? `${tabs} ${tabs === 1 ? "tab" : "tabs"}` : "",
    blanks.length > tabs ? `${blanks.length - tabs} blanks` : "",
  ];
  return parts.filter((part) => part !== "").join(" and ");
}
