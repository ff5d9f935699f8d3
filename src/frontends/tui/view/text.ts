import { terminalSafe } from "../../../util/untrusted-text.ts";

/** Text of a model, a tool or a file as it may be drawn: no control sequences, tabs as spaces. */
export function safe(text: string): string {
  return terminalSafe(text).replaceAll("\t", "    ");
}

/** Rows of at most `width` cells, broken between words where possible and never inside a grapheme. */
export function wrap(text: string, width: number): string[] {
  return Bun.wrapAnsi(text, Math.max(1, width), { hard: true, trim: false }).split("\n");
}

/** The beginning of one row that fits, with `…` where something is missing. */
export function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  return width <= 1 ? Bun.sliceAnsi(text, 0, Math.max(0, width)) : `${Bun.sliceAnsi(text, 0, width - 1)}…`;
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
