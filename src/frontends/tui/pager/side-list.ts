import type { PagerContent } from "../port.ts";
import { cut, safeLine } from "../view/text.ts";
import type { Theme } from "../view/theme.ts";

/** A narrower terminal has no room for a list beside what is read. */
const LEAST_COLUMNS = 100;
const WIDEST_NAME = 30;
/** For the mark at the left and the line at the right. */
const FRAME = 5;

/** Columns of the list of cells at the left; 0 where there is none. */
export function listWidth({ cells }: PagerContent, columns: number): number {
  if (columns < LEAST_COLUMNS || cells.length < 2 || cells.some(({ name }) => name === undefined)) return 0;
  return (
    Math.min(WIDEST_NAME, Math.max(...cells.map(({ name = "" }) => Bun.stringWidth(safeLine(name))))) + FRAME
  );
}

/** The rows of the list, with the current cell marked and always among them. A name that is too long shows its end. */
export function listRows(
  { cells }: PagerContent,
  current: number,
  { width, height, theme }: { width: number; height: number; theme: Theme },
): string[] {
  const first = Math.max(0, Math.min(current - Math.floor(height / 2), cells.length - height));
  const room = width - FRAME;
  return Array.from({ length: height }, (_, i) => {
    const name = cells[first + i]?.name;
    const shown = name === undefined ? "" : endOf(safeLine(name), room);
    const padded = shown + " ".repeat(Math.max(0, room - Bun.stringWidth(shown)));
    const row = first + i === current ? theme.accent(`${theme.marks.current} ${padded}`) : `  ${padded}`;
    return `${row} ${theme.dim(theme.marks.bar)} `;
  });
}

function endOf(name: string, room: number): string {
  if (Bun.stringWidth(name) <= room) return name;
  const file = name.slice(name.lastIndexOf("/") + 1);
  return Bun.stringWidth(file) + 2 <= room ? `…/${file}` : cut(file, room);
}
