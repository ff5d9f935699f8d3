import { type Range, restyle } from "./restyle.ts";

// Bun.wrapAnsi 1.4.5 breaks emoji sequences, flags and letters with combining marks in two, and makes rows that are too
// wide. So rows are filled here, by the widths that Bun.stringWidth tells.

type Piece = Range & { width: number };

const ASCII = /^[\u0020-\u007e]*$/;
/** Marks that may not begin a row. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}ー々]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Rows of at most `width` cells (2 or more) of one line that may hold colours: each row closes what it opened. Spaces at
 * a break are dropped, those at the beginning of the line are kept.
 */
export function wrapLine(line: string, width: number): string[] {
  if (Bun.stringWidth(line) <= width) return [line];
  const plain = Bun.stripANSI(line);
  const ranges = rowsOf(plain, width);
  if (plain === line) return ranges.map(({ start, end }) => plain.slice(start, end));
  return restyle(line, ranges);
}

function rowsOf(text: string, width: number): Range[] {
  const rows: Range[] = [];
  let row: Piece = { start: 0, end: 0, width: 0 };
  for (const { index, 0: match } of text.matchAll(/ *[^ ]+/g)) {
    const word = match.trimStart();
    const start = index + match.length - word.length;
    for (const piece of piecesOf(word, start)) {
      const gap = piece.start - row.end;
      if (row.width + gap + piece.width <= width) {
        row = { start: row.start, end: piece.end, width: row.width + gap + piece.width };
        continue;
      }
      const isIndent = row.end === 0 && gap < width;
      if (row.end > row.start) rows.push(row);
      row = isIndent
        ? { start: 0, end: gap, width: gap }
        : { start: piece.start, end: piece.start, width: 0 };
      row = filled(text, piece, row, width, rows);
    }
  }
  return row.end > row.start || rows.length === 0 ? [...rows, row] : rows;
}

/** Adds a piece grapheme by grapheme; full rows go to `rows`. */
function filled(text: string, piece: Piece, first: Piece, width: number, rows: Range[]): Piece {
  if (first.width + piece.width <= width)
    return { start: first.start, end: piece.end, width: first.width + piece.width };
  let row = first;
  for (const { segment } of graphemes.segment(text.slice(piece.start, piece.end))) {
    const cells = Bun.stringWidth(segment);
    if (row.width + cells > width && row.width > 0) {
      rows.push(row);
      row = { start: row.end, end: row.end, width: 0 };
    }
    row = { start: row.start, end: row.end + segment.length, width: row.width + cells };
  }
  return row;
}

/** Where a word may be broken: nowhere, but around wide characters, as they are written without spaces. */
function piecesOf(word: string, start: number): Piece[] {
  if (ASCII.test(word)) return [{ start, end: start + word.length, width: word.length }];
  const pieces: Piece[] = [];
  let wasWide = false;
  for (const { segment, index } of graphemes.segment(word)) {
    const width = Bun.stringWidth(segment);
    const last = pieces.at(-1);
    const end = start + index + segment.length;
    if (last && (!(wasWide || width > 1) || CLOSING.test(segment))) {
      last.end = end;
      last.width += width;
    } else pieces.push({ start: start + index, end, width });
    wasWide = width > 1;
  }
  return pieces;
}
