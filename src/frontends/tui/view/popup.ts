import { fit, safe } from "./text.ts";
import type { Theme } from "./theme.ts";

export type ListRow = { label: string; about?: string; note?: string; disabledBecause?: string };

/** The rows of a list around the selected one. */
export function listRows(
  items: readonly ListRow[],
  selected: number,
  { width, theme, maxRows }: { width: number; theme: Theme; maxRows: number },
): string[] {
  const first = Math.max(0, Math.min(items.length - maxRows, selected - maxRows + 2));
  const shown = items.slice(first, first + maxRows);
  const column = Math.min(
    Math.max(...shown.map(({ label }) => Bun.stringWidth(label)), 0) + 2,
    Math.floor(width / 2),
  );
  return shown.map((item, i) => {
    const isSelected = first + i === selected;
    const label = safe(item.label);
    const about = item.disabledBecause ?? item.about ?? "";
    const padding = about === "" ? "" : " ".repeat(Math.max(1, column - Bun.stringWidth(label)));
    const text = `  ${label}${padding}${theme.dim(safe(about))}`;
    const row = fit(text, item.note ? theme.dim(safe(item.note)) : "", width - 1);
    if (item.disabledBecause !== undefined) return theme.dim(row);
    return isSelected ? theme.accent(`${theme.marks.prompt}${row.slice(1)}`) : row;
  });
}
