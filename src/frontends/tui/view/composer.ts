import { layoutOf } from "./composer-layout.ts";
import type { Cursor } from "./screen.ts";
import { cut } from "./text.ts";
import type { Theme } from "./theme.ts";

export type ComposerView = {
  text: string;
  /** In UTF-16 units. */
  cursor: number;
  /** Texts in the draft that stand for something else: folded pastes, images. */
  atoms: readonly string[];
  width: number;
  maxRows: number;
  placeholder: string;
  mark: string;
  theme: Theme;
};

/** The composer's rows, and where the cursor stands in them. */
export function composerRows(view: ComposerView): { rows: string[]; cursor: Cursor } {
  const { text, width, maxRows, theme, mark } = view;
  const margin = Bun.stringWidth(mark) + 1;
  if (text === "") {
    const shown = cut(view.placeholder, Math.max(0, width - margin - 1));
    return { rows: [`${mark} ${theme.dim(shown)}`], cursor: { row: 0, column: margin } };
  }
  const { count, cursor, rows } = layoutOf(text, view.cursor, Math.max(2, width - margin - 1));
  const first = firstRow(count, cursor.row, maxRows);
  const shown = rows(first, first + maxRows).map((row) => painted(row, view));
  const out = shown.map((row, i) =>
    first + i === 0 ? `${mark} ${row}` : `${" ".repeat(margin)}${row}`.trimEnd(),
  );
  const hidden = count - shown.length;
  if (hidden > 0) out.push(theme.dim(`${" ".repeat(margin)}${theme.marks.scroll} ${hidden} more`));
  return { rows: out, cursor: { row: cursor.row - first, column: margin + cursor.column } };
}

function firstRow(count: number, cursor: number, maxRows: number): number {
  if (count <= maxRows) return 0;
  return Math.max(0, Math.min(count - maxRows, cursor - Math.floor(maxRows / 2)));
}

function painted(row: string, { atoms, theme }: ComposerView): string {
  let text = row;
  for (const atom of atoms) if (atom !== "") text = text.replaceAll(atom, () => theme.accent(atom));
  return text;
}
