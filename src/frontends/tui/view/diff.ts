import { basename } from "node:path";
import type { FileChange } from "../../../protocol/details.ts";
import type { ItemStatus } from "../../../protocol/events.ts";
import { titleRow } from "./cell-title.ts";
import type { CellOptions } from "./cells.ts";
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
  const context = isExpanded ? Number.POSITIVE_INFINITY : width < LEAST_WIDTH_FOR_CONTEXT ? 0 : CONTEXT;
  const isGone = change.kind === "delete" && change.movedTo === undefined;
  const shown = isExpanded || !isGone ? nearChanges(lines, context) : [];
  const rows = diffBody(shown, options);
  const isShort = isExpanded || rows.length <= MOST_ROWS;
  const more = foldText(rows.length - MOST_ROWS + 1, "lines", theme.marks.more);
  const body = isShort ? rows : [...rows.slice(0, MOST_ROWS - 1), theme.dim(cut(`    ${more}`, width))];
  return [titleRow(title, options), ...body];
}

/** The lines of a diff with their numbers; the words that changed in a line are marked. */
export function diffBody(lines: readonly DiffLine[], { width, theme }: CellOptions): string[] {
  const gutter = Math.max(3, ...lines.map(({ number }) => String(number).length));
  return lines.flatMap((line, i) => {
    if (line.sign === "gap") return [theme.dim(`  ${theme.marks.gap.padStart(gutter)}`)];
    return lineRows(line, partnerOf(lines, i), { gutter, width, theme });
  });
}

type Look = { gutter: number; width: number; theme: Theme };

function lineRows({ number, sign, text }: DiffLine, partner: string | undefined, look: Look): string[] {
  const { gutter, width, theme } = look;
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

/** The line on the other side of a change: removed and added lines that stand together belong to each other in order. */
function partnerOf(lines: readonly DiffLine[], at: number): string | undefined {
  const own = lines[at]?.sign;
  if (own !== "+" && own !== "-") return undefined;
  let start = at;
  while (isChange(lines[start - 1]) && !(lines[start - 1]?.sign === "+" && lines[start]?.sign === "-"))
    start--;
  const removed = countFrom(lines, start, "-");
  const added = countFrom(lines, start + removed, "+");
  if (removed !== added) return undefined;
  return lines[own === "-" ? at + removed : at - removed]?.text;
}

function countFrom(lines: readonly DiffLine[], from: number, sign: "+" | "-"): number {
  let count = 0;
  while (lines[from + count]?.sign === sign) count++;
  return count;
}

function isChange(line: DiffLine | undefined): boolean {
  return line?.sign === "+" || line?.sign === "-";
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
