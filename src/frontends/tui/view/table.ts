import { inline } from "./inline.ts";
import { cut, wrap } from "./text.ts";
import type { Theme } from "./theme.ts";

/** A table with columns as wide as they need, or one `name: value` row per cell where there is no room. */
export function tableRows(lines: readonly string[], width: number, theme: Theme): string[] {
  const table = lines.filter((line) => !/^\s*\|?[\s:|-]+\|?\s*$/.test(line)).map(cellsOf);
  const [head = [], ...body] = table;
  const widths = head.map((_, i) =>
    Math.max(...table.map((row) => Bun.stringWidth(inline(row[i] ?? "", theme)))),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + 2 * Math.max(0, widths.length - 1);
  if (width < 40 || total > width * 2) {
    return body.flatMap((row) =>
      row.flatMap((cell, i) => wrap(`${head[i] ?? ""}: ${inline(cell, theme)}`, width)),
    );
  }
  const shrink = Math.min(1, (width - 2 * Math.max(0, widths.length - 1)) / Math.max(1, total));
  const columns = widths.map((one) => Math.max(1, Math.floor(one * shrink)));
  const row = (cells: readonly string[]) =>
    columns
      .map((column, i) => pad(cut(inline(cells[i] ?? "", theme), column), column))
      .join("  ")
      .trimEnd();
  return [
    theme.bold(row(head)),
    theme.dim(columns.map((column) => "─".repeat(column)).join("  ")),
    ...body.map(row),
  ];
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
}
