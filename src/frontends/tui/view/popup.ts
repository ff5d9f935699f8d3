import { cut, fit, safeLine } from "./text.ts";
import type { Theme } from "./theme.ts";

export type ListRow = { label: string; about?: string; note?: string; disabledBecause?: string };

/** The rows of a list around the selected one, which is marked; so are the ends beyond which there is more. */
export function listRows(
  items: readonly ListRow[],
  selected: number,
  { width, theme, maxRows }: { width: number; theme: Theme; maxRows: number },
): string[] {
  const first = Math.max(0, Math.min(items.length - maxRows, selected - maxRows + 2));
  const shown = items.slice(first, first + maxRows).map((item) => ({ ...item, label: safeLine(item.label) }));
  const widest = Math.max(0, ...shown.map(({ label }) => Bun.stringWidth(label)));
  const column = Math.min(widest, Math.max(8, Math.floor(width / 2)));
  const isMore = (i: number) =>
    (i === 0 && first > 0) || (i === shown.length - 1 && first + shown.length < items.length);
  return shown.map((item, i) => {
    const isSelected = first + i === selected;
    // Not the mark of the composer right above, which would look like a second one.
    const mark = isSelected ? theme.marks.current : isMore(i) ? theme.dim(theme.marks.scroll) : " ";
    return row(item, { mark, isSelected, width, theme, column });
  });
}

function row(
  { label, about, note, disabledBecause }: ListRow,
  look: { mark: string; isSelected: boolean; width: number; theme: Theme; column: number },
): string {
  const { mark, isSelected, width, theme, column } = look;
  const name = cut(label, column);
  const explained = safeLine(disabledBecause ?? about ?? "");
  const padding = explained === "" ? "" : " ".repeat(column - Bun.stringWidth(name) + 2);
  const paint =
    disabledBecause !== undefined ? theme.dim : isSelected ? theme.accent : (text: string) => text;
  const left = paint(`${mark} ${name}`) + theme.dim(padding + explained);
  return fit(left, note ? theme.dim(safeLine(note)) : "", width - 1);
}
