import type { CellOptions } from "./cell-options.ts";
import { cut, hang, safe } from "./text.ts";
import type { Marks } from "./theme.ts";

const HEAD = 2;
const TAIL = 3;
const MARGIN = "    ";

/** Lines of output as they came, without colours; of a progress bar, its last state. */
export function meaningfulLines(output: string): string[] {
  const lines: string[] = [];
  let last = "";
  for (const raw of output.split("\n")) {
    const whole = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const line = whole.slice(whole.lastIndexOf("\r") + 1).trimEnd();
    const kind = progressOf(line);
    if (kind !== "" && kind === last) lines.pop();
    lines.push(line);
    last = kind;
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** What stays the same in each state of a progress bar; empty for other lines. */
function progressOf(line: string): string {
  if (line.length > 300 || !/\d\s?%/.test(line)) return "";
  return line.replace(/[\d.#=>\-\s█▓▒░▏▎▍▌▋▊▉━╸╺]+/g, " ");
}

/** Output below its title, folded to its first and last lines; whole when it is expanded. */
export function outputRows(lines: readonly string[], { width, theme, isExpanded }: CellOptions): string[] {
  if (isExpanded) return lines.flatMap((line) => dimmed(hang(safe(line), width, MARGIN), theme.dim));
  const filled = lines.filter((line) => line.trim() !== "");
  const hidden = filled.length - HEAD - TAIL;
  const row = (line: string) => cut(`${MARGIN}${safe(line)}`, width);
  if (hidden <= 1) return dimmed(filled.map(row), theme.dim);
  return dimmed(
    [
      ...filled.slice(0, HEAD).map(row),
      row(foldText(hidden, "lines", theme.marks)),
      ...filled.slice(-TAIL).map(row),
    ],
    theme.dim,
  );
}

/** Names what is not shown, and the key that shows it. */
export function foldText(count: number, what: string, marks: Marks): string {
  return `${marks.more} +${count} ${what} ${marks.dot} ctrl+t`;
}

function dimmed(rows: readonly string[], dim: (text: string) => string): string[] {
  return rows.map((row) => (row.trim() === "" ? "" : dim(row)));
}
