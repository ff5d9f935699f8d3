import type { Cursor } from "./screen.ts";
import { safe } from "./text.ts";

/** A draft in rows: how many, where the cursor stands in them, and the text of some of them. */
export type Layout = { count: number; cursor: Cursor; rows(first: number, end: number): string[] };

/** A line of the draft; `wrapped` is known where its rows have to be looked for. */
type Line = { text: string; first: number; count: number; wrapped: readonly string[] | undefined };

/** Each of these is one cell and a grapheme of its own. */
const PLAIN = /^[\u0020-\u007e]*$/;
/** So are these, and those that are not ASCII are two cells: kana, Chinese and Korean letters, and their signs. */
const SIMPLE =
  /^[\u0020-\u007e\u3001-\u3029\u3041-\u3096\u30a1-\u30fe\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Breaks between graphemes at the width, so that the cursor's place can be told exactly. `cursor` in UTF-16 units. Each key
 * asks for this; so of plain lines, however long, only the rows that are shown are made.
 */
export function layoutOf(text: string, cursor: number, width: number): Layout {
  const lines: Line[] = [];
  let first = 0;
  let start = 0;
  let at: Cursor = { row: 0, column: 0 };
  for (const line of text.split("\n")) {
    const inLine = cursor >= start && cursor <= start + line.length ? cursor - start : undefined;
    const laid = laidOut(line, inLine, width);
    if (inLine !== undefined) at = { row: first + laid.at.row, column: laid.at.column };
    lines.push({ text: line, first, count: laid.count, wrapped: laid.wrapped });
    first += laid.count;
    start += line.length + 1;
  }
  return { count: first, cursor: at, rows: (from, end) => rowsOf(lines, from, end, width) };
}

function laidOut(line: string, cursor: number | undefined, width: number): Laid {
  if (PLAIN.test(line)) return plainLine(line, cursor ?? 0, width);
  return SIMPLE.test(line) ? simpleLine(line, cursor, width) : wrappedLine(line, cursor, width);
}

type Laid = { count: number; at: Cursor; wrapped?: readonly string[] };

function plainLine({ length }: string, cursor: number, width: number): Laid {
  const count = Math.max(1, Math.ceil(length / width));
  const row = Math.min(count - 1, Math.floor(cursor / width));
  return { count, at: { row, column: cursor - row * width } };
}

function simpleLine(line: string, cursor: number | undefined, width: number): Laid {
  const wrapped: string[] = [];
  let start = 0;
  let column = 0;
  let at: Cursor | undefined;
  for (let i = 0; i < line.length; i++) {
    const cells = line.charCodeAt(i) < 0x7f ? 1 : 2;
    if (column + cells > width) {
      wrapped.push(line.slice(start, i));
      start = i;
      column = 0;
    }
    if (i === cursor) at = { row: wrapped.length, column };
    column += cells;
  }
  at ??= { row: wrapped.length, column };
  wrapped.push(line.slice(start));
  return { count: wrapped.length, at, wrapped };
}

function wrappedLine(line: string, cursor: number | undefined, width: number): Laid {
  const wrapped: string[] = [];
  let row = "";
  let column = 0;
  let at: Cursor | undefined;
  for (const { segment, index } of graphemes.segment(line)) {
    const drawn = safe(segment).replaceAll("\n", "");
    const cells = Bun.stringWidth(drawn);
    if (column + cells > width) {
      wrapped.push(row);
      row = "";
      column = 0;
    }
    if (cursor !== undefined && index + segment.length > cursor) at ??= { row: wrapped.length, column };
    row += drawn;
    column += cells;
  }
  at ??= { row: wrapped.length, column };
  wrapped.push(row);
  return { count: wrapped.length, at, wrapped };
}

function rowsOf(lines: readonly Line[], from: number, end: number, width: number): string[] {
  const rows: string[] = [];
  let i = lines.findLastIndex(({ first }) => first <= from);
  for (let row = from; row < end; row++) {
    let line = lines[i];
    if (line && row >= line.first + line.count) line = lines[++i];
    if (!line) break;
    const inLine = row - line.first;
    rows.push(line.wrapped?.[inLine] ?? line.text.slice(inLine * width, (inLine + 1) * width));
  }
  return rows;
}
