/** How a line's number is written in front of it: `{n}` is the number, `{n:6}` the number right-aligned in 6 columns. */
export type NumberFormat = string;

export const DEFAULT_NUMBERS: NumberFormat = "{n}\t";

export function numberedLine(text: string, number: number, format: NumberFormat): string {
  const prefix = format.replace(/\{n(?::(\d+))?\}/g, (_, width?: string) =>
    String(number).padStart(Number(width ?? 0)),
  );
  return prefix + text;
}

/** Cuts a line that is longer than `max` characters and says by how much, or puts `mark` there. */
export function cutLine(text: string, max: number, mark?: string): string {
  if (text.length <= max) return text;
  return text.slice(0, max) + (mark ?? `… (${text.length - max} more characters)`);
}

/** Lines `from` to `to` (1-based, inclusive) with their numbers, one a line. */
export function numberedRegion(
  lines: readonly string[],
  from: number,
  to: number,
  format: NumberFormat = DEFAULT_NUMBERS,
): string {
  return lines
    .slice(from - 1, to)
    .map((line, i) => numberedLine(cutLine(line, 500), from + i, format))
    .join("\n");
}
