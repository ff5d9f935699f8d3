import { terminalSafe } from "../../../util/untrusted-text.ts";
import { wrapLine } from "./wrap.ts";

/** Text of a model, a tool or a file as it may be drawn: no control sequences, tabs as spaces. */
export function safe(text: string): string {
  return terminalSafe(text).replaceAll("\t", "    ");
}

/** The same in one row: line ends become spaces. */
export function safeLine(text: string): string {
  return safe(text)
    .trim()
    .replace(/\s*\n\s*/g, " ");
}

/** Rows of at most `width` cells, broken between words where possible and never inside a grapheme. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(1, width)));
}

/** Wrapped after `first`; the rows after it begin with as many spaces, or with `rest`. */
export function hang(
  text: string,
  width: number,
  first: string,
  rest = " ".repeat(Bun.stringWidth(first)),
): string[] {
  const inner = Math.max(1, width - Bun.stringWidth(first));
  return wrap(text, inner).map((row, i) => cut((i === 0 ? first : rest) + row, width));
}

/** The beginning of one row that fits, with `…` where something is missing. */
export function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  if (width <= 0) return "";
  return width === 1 ? "…" : `${slice(text, width - 1)}…`;
}

/** One row with `left` at the left and `right` at the right edge; the left part is cut first. */
export function fit(left: string, right: string, width: number): string {
  const rightWidth = Bun.stringWidth(right);
  if (rightWidth === 0) return cut(left, width);
  if (rightWidth >= width) return cut(right, width);
  const shown = cut(left, width - rightWidth - 1);
  return shown + " ".repeat(width - rightWidth - Bun.stringWidth(shown)) + right;
}

export function indent(rows: readonly string[], by: string): string[] {
  return rows.map((row) => (row === "" ? "" : by + row));
}

/** At most `width` cells from the start. */
export function slice(text: string, width: number): string {
  // Bun 1.4.5 keeps an emoji sequence that crosses the edge: one cell too many.
  for (let end = width; end > 0; end--) {
    const shown = Bun.sliceAnsi(text, 0, end);
    if (Bun.stringWidth(shown) <= width) return shown;
  }
  return "";
}
