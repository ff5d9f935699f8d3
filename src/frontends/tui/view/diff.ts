import { basename } from "node:path";
import type { FileChange } from "../../../protocol/details.ts";
import type { ItemStatus } from "../../../protocol/events.ts";
import type { CellOptions } from "./cell-options.ts";
import { titleRow } from "./cell-title.ts";
import { type DiffLine, diffLines, nearChanges, pathsOf } from "./diff-lines.ts";
import { foldText } from "./output.ts";
import { cut, hang, safe, safeLine } from "./text.ts";
import type { Theme } from "./theme.ts";
import { changedPart } from "./word-change.ts";

const MOST_ROWS = 20;
const CONTEXT = 2;
/** Narrower terminals show changed lines only. */
const LEAST_WIDTH_FOR_CONTEXT = 60;
const WORDS = {
  add: ["Adding", "Added"],
  update: ["Editing", "Edited"],
  delete: ["Deleting", "Deleted"],
} as const;

/** A changed file: its name, counts, and the changed lines with their numbers. */
export function diffRows(
  change: FileChange,
  options: CellOptions,
  status: ItemStatus = "completed",
): string[] {
  const { width, theme, isExpanded, isRunning } = options;
  const lines = diffLines(change.diff);
  const hasFailed = status === "failed" || status === "declined";
  const title = {
    text: `${WORDS[change.kind][isRunning || hasFailed ? 0 : 1]} ${nameOf(change, theme)}${countsOf(lines, theme)}`,
    facts: hasFailed ? [status] : [],
    hasFailed,
  };
  const isGone = change.kind === "delete" && change.movedTo === undefined;
  if (lines.length === 0) return [titleRow(title, options), ...noteRows(change.diff, options)];
  if (isExpanded) return [titleRow(title, options), ...diffBody(lines, options).rows];
  if (isGone) return [titleRow(title, options)];
  const shown = nearChanges(lines, width < LEAST_WIDTH_FOR_CONTEXT ? 0 : CONTEXT);
  const { rows, hidden } = diffBody(shown, options, MOST_ROWS);
  const more = foldText(hidden, "lines", theme.marks);
  return [titleRow(title, options), ...rows, ...(hidden > 0 ? [theme.dim(cut(`    ${more}`, width))] : [])];
}

/** What stands in the place of a diff that was too large to make. */
function noteRows(diff: string, { width, theme }: CellOptions): string[] {
  const note = diff.split("\n").find((line) => line.startsWith("("));
  return note === undefined ? [] : hang(safe(note), width, "    ").map((row) => theme.dim(row));
}

/** The lines of a diff with their numbers, the changed words marked. `hidden`: lines left out to stay below `most` rows. */
function diffBody(
  lines: readonly DiffLine[],
  { width, theme }: CellOptions,
  most = Number.POSITIVE_INFINITY,
): { rows: string[]; hidden: number } {
  const look = { gutter: gutterOf(lines), width, theme };
  const partners = partnersOf(lines);
  const rows: string[] = [];
  let fitting = { rows: 0, lines: 0 };
  for (const [i, line] of lines.entries()) {
    rows.push(...lineRows(line, partners[i], look));
    if (rows.length > most)
      return { rows: rows.slice(0, fitting.rows), hidden: lines.length - fitting.lines };
    if (rows.length < most) fitting = { rows: rows.length, lines: i + 1 };
  }
  return { rows, hidden: 0 };
}

function gutterOf(lines: readonly DiffLine[]): number {
  const highest = lines.reduce((most, { number }) => Math.max(most, number), 0);
  return Math.max(3, String(highest).length);
}

type Look = { gutter: number; width: number; theme: Theme };

function lineRows({ number, sign, text }: DiffLine, partner: string | undefined, look: Look): string[] {
  const { gutter, width, theme } = look;
  if (sign === "gap") return [theme.dim(`  ${theme.marks.gap.padStart(gutter)}`)];
  const label = String(number).padStart(gutter);
  const shown = safe(text);
  if (sign === " ") return hang(shown, width, `  ${label}   `).map((row) => theme.dim(row.trimEnd()));
  const [paint, mark, word] =
    sign === "+"
      ? [theme.added, "+", theme.addedWord]
      : [theme.removed, theme.marks.minus, theme.removedWord];
  const part = partner === undefined ? undefined : changedPart(shown, safe(partner));
  const marked = part
    ? `${shown.slice(0, part.start)}${word(shown.slice(part.start, part.end))}${shown.slice(part.end)}`
    : shown;
  return hang(marked, width, `  ${label} ${mark} `).map((row) => paint(row));
}

/** The line on the other side of each change: as many added as removed lines belong to each other in order. */
function partnersOf(lines: readonly DiffLine[]): (string | undefined)[] {
  const partners = lines.map((): string | undefined => undefined);
  for (let at = 0; at < lines.length; ) {
    const removed = countFrom(lines, at, "-");
    const added = countFrom(lines, at + removed, "+");
    if (removed === added) {
      for (let i = at; i < at + removed; i++) {
        partners[i] = lines[i + removed]?.text;
        partners[i + removed] = lines[i]?.text;
      }
    }
    at += Math.max(1, removed + added);
  }
  return partners;
}

function countFrom(lines: readonly DiffLine[], from: number, sign: "+" | "-"): number {
  let count = 0;
  while (lines[from + count]?.sign === sign) count++;
  return count;
}

function nameOf({ path, movedTo, diff }: FileChange, { marks }: Theme): string {
  const names = pathsOf(diff);
  const name = safeLine(names.before ?? names.after ?? basename(path));
  return movedTo ? `${name} ${marks.arrow} ${safeLine(names.after ?? basename(movedTo))}` : name;
}

function countsOf(lines: readonly DiffLine[], { added, removed, marks }: Theme): string {
  const count = (sign: "+" | "-") => lines.filter((line) => line.sign === sign).length;
  const [plus, minus] = [count("+"), count("-")];
  return plus + minus === 0 ? "" : `  ${added(`+${plus}`)} ${removed(`${marks.minus}${minus}`)}`;
}
