import { inline } from "./inline.ts";
import { type Align, cellsOf } from "./markdown-lines.ts";
import { hang, wrap } from "./text.ts";
import type { Theme } from "./theme.ts";

/** The head of a table, and those of its rows that were not given out yet. */
export type Table = {
  head: readonly string[];
  aligns: readonly Align[];
  rows: readonly (readonly string[])[];
  /** Set once rows were given out: the others keep to them. */
  fixed?: { columns: Columns };
};
/** Widths of the columns; undefined: no room for columns, each cell is a `name: value` row. */
type Columns = readonly number[] | undefined;
type Look = { width: number; theme: Theme };

/** A table with more rows than this keeps the widths of its columns, so that its rows can be given out. */
const MOST_ROWS = 12;
const GAP = 2;
/** A terminal narrower than this shows no columns. */
const LEAST_WIDTH = 40;
/** Nor are there any when one of them would have to be narrower than this. */
const LEAST_COLUMN = 6;

/** Adds a row; gives out what can't change any more. Cells too many are part of the last one. */
export function withRow(table: Table, line: string, look: Look): { table: Table; done: string[] } {
  const cells = cellsOf(line);
  const last = table.head.length - 1;
  const row = [...cells.slice(0, last), cells.slice(last).join(" | ")];
  if (table.fixed) return { table, done: bodyRows(table, row, table.fixed.columns, look) };
  const longer = { ...table, rows: [...table.rows, row] };
  if (longer.rows.length <= MOST_ROWS) return { table: longer, done: [] };
  const fixed = { columns: columnsOf(longer, look) };
  return { table: { ...longer, rows: [], fixed }, done: tableRows(longer, look) };
}

/** What of a table was not given out yet. */
export function tableRows(table: Table, look: Look): string[] {
  if (table.fixed) return [];
  const columns = columnsOf(table, look);
  const body = table.rows.flatMap((row) => bodyRows(table, row, columns, look));
  if (body.length > 0 || columns) return [...headRows(table, columns, look.theme), ...body];
  return wrap(table.head.map((name) => inline(name, look.theme)).join(", "), look.width);
}

/** Columns as wide as their widest cell; where that is too much, the widest give way. */
function columnsOf({ head, rows }: Table, { width, theme }: Look): Columns {
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

function headRows({ head, aligns }: Table, columns: Columns, theme: Theme): string[] {
  if (columns === undefined) return [];
  const line = theme.dim(columns.map((column) => theme.marks.line.repeat(column)).join(" ".repeat(GAP)));
  return [...gridRows(head, { aligns, columns, theme }).map((row) => theme.bold(row)), line];
}

function bodyRows(
  { head, aligns }: Table,
  cells: readonly string[],
  columns: Columns,
  { width, theme }: Look,
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
