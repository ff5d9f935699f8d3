import { inline } from "./inline.ts";
import type { Align } from "./markdown-lines.ts";
import { hang, wrap } from "./text.ts";
import type { Theme } from "./theme.ts";

export type Table = { head: readonly string[]; aligns: readonly Align[] };
/** Widths of the columns; undefined: no room for columns, each cell is a `name: value` row. */
export type Columns = readonly number[] | undefined;

const GAP = 2;
/** A terminal narrower than this shows no columns. */
const LEAST_WIDTH = 40;
/** Nor are there any when one of them would have to be narrower than this. */
const LEAST_COLUMN = 6;

/** Columns as wide as their widest cell; where that is too much, the widest give way. */
export function columnsOf(
  { head }: Table,
  rows: readonly (readonly string[])[],
  width: number,
  theme: Theme,
): Columns {
  if (width < LEAST_WIDTH) return undefined;
  const natural = head.map((_, i) =>
    Math.max(1, ...[head, ...rows].map((row) => widestLine(inline(row[i] ?? "", theme)))),
  );
  const room = width - GAP * (head.length - 1);
  let most = Math.min(room, Math.max(...natural));
  const sum = (limit: number) => natural.reduce((total, one) => total + Math.min(one, limit), 0);
  while (most >= LEAST_COLUMN && sum(most) > room) most -= 1;
  return sum(most) > room ? undefined : natural.map((one) => Math.min(one, most));
}

export function headRows({ head, aligns }: Table, columns: Columns, theme: Theme): string[] {
  if (columns === undefined) return [];
  const line = theme.dim(columns.map((column) => theme.marks.line.repeat(column)).join(" ".repeat(GAP)));
  return [...gridRows(head, { aligns, columns, theme }).map((row) => theme.bold(row)), line];
}

export function bodyRows(
  { head, aligns }: Table,
  cells: readonly string[],
  columns: Columns,
  { width, theme }: { width: number; theme: Theme },
): string[] {
  if (columns !== undefined) return gridRows(cells, { aligns, columns, theme });
  return head.flatMap((name, i) => {
    const value = inline(cells[i] ?? "", theme);
    return hang(`${theme.bold(inline(name, theme))}: ${value}`, width, i === 0 ? "- " : "  ", "  ");
  });
}

type Grid = { aligns: readonly Align[]; columns: readonly number[]; theme: Theme };

function gridRows(cells: readonly string[], { aligns, columns, theme }: Grid): string[] {
  const wrapped = columns.map((column, i) => wrap(inline(cells[i] ?? "", theme), column));
  const height = Math.max(...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, i) => padded(wrapped[i]?.[line] ?? "", column, aligns[i] ?? "left"))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

function padded(text: string, width: number, align: Align): string {
  const space = Math.max(0, width - Bun.stringWidth(text));
  const before = align === "right" ? space : align === "center" ? Math.floor(space / 2) : 0;
  return " ".repeat(before) + text + " ".repeat(space - before);
}

function widestLine(text: string): number {
  return Math.max(...text.split("\n").map((line) => Bun.stringWidth(line)));
}
