import { basename } from "node:path";
import type { FileChange } from "../../../protocol/details.ts";
import type { CellOptions } from "./cells.ts";
import { fit, safe, wrap } from "./text.ts";
import type { Theme } from "./theme.ts";

const MOST_ROWS = 20;
const WORDS = { add: "Add", update: "Edit", delete: "Delete" } as const;

/** A changed file: its name, counts, and the changed lines with their numbers. */
export function diffRows(change: FileChange, { width, theme, isExpanded, isRunning }: CellOptions): string[] {
  const lines = numbered(change.diff);
  const added = lines.filter(({ sign }) => sign === "+").length;
  const removed = lines.filter(({ sign }) => sign === "-").length;
  const counts = `${theme.added(`+${added}`)} ${theme.removed(`${theme.marks.minus}${removed}`)}`;
  const name = change.movedTo
    ? `${basename(change.path)} → ${basename(change.movedTo)}`
    : basename(change.path);
  const word = isRunning ? `${WORDS[change.kind]}ing`.replace("eing", "ing") : WORDS[change.kind];
  const title = `${theme.marks.bullet} ${word} ${safe(name)}  ${counts}`;
  const gutter = Math.max(3, ...lines.map(({ number }) => String(number).length));
  const rows = lines.flatMap((line) => lineRows(line, gutter, width, theme));
  if (isExpanded || rows.length <= MOST_ROWS) return [fit(title, "", width), ...rows];
  const more = theme.dim(`    ${theme.marks.more} +${rows.length - MOST_ROWS + 1} lines · ctrl+t`);
  return [fit(title, "", width), ...rows.slice(0, MOST_ROWS - 1), more];
}

type Line = { number: number; sign: "+" | "-" | " "; text: string };

function numbered(diff: string): Line[] {
  const lines: Line[] = [];
  let before = 0;
  let after = 0;
  for (const line of diff.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
    } else if (line.startsWith("+") && !line.startsWith("+++"))
      lines.push({ number: after++, sign: "+", text: line.slice(1) });
    else if (line.startsWith("-") && !line.startsWith("---"))
      lines.push({ number: before++, sign: "-", text: line.slice(1) });
    else if (line.startsWith(" ")) {
      lines.push({ number: after++, sign: " ", text: line.slice(1) });
      before++;
    }
  }
  return lines;
}

function lineRows({ number, sign, text }: Line, gutter: number, width: number, theme: Theme): string[] {
  const paint = sign === "+" ? theme.added : sign === "-" ? theme.removed : theme.dim;
  const mark = sign === "-" ? theme.marks.minus : sign;
  return wrap(safe(text), Math.max(1, width - gutter - 5)).map((row, i) => {
    const label = i === 0 ? `${String(number).padStart(gutter)} ${mark}` : " ".repeat(gutter + 2);
    return paint(`  ${label} ${row}`);
  });
}
