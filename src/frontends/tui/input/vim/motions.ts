import { type Cell, lineEnd, lineFirst } from "./cells.ts";

export type VimMotion =
  | "left"
  | "right"
  | "word_forward"
  | "word_backward"
  | "word_end"
  | "line_start"
  | "line_end";
type Cells = readonly Cell[];

/** Where a motion leads from cell `at`: an index, which may be that behind the last cell. */
export function targetOf(motion: VimMotion, cells: Cells, at: number): number {
  switch (motion) {
    case "left":
      return Math.max(lineFirst(cells, at), at - 1);
    case "right":
      return Math.min(lineEnd(cells, at), at + 1);
    case "word_forward":
      return nextWord(cells, at);
    case "word_backward":
      return previousWord(cells, at);
    case "word_end":
      return endOfWord(cells, at);
    case "line_start":
      return lineFirst(cells, at);
    case "line_end":
      return Math.max(lineFirst(cells, at), lineEnd(cells, at) - 1);
  }
}

/** Does an operator take the cell that the motion leads to as well? */
export function isInclusive(motion: VimMotion): boolean {
  return motion === "word_end" || motion === "line_end";
}

function isGap(cell: Cell | undefined): boolean {
  return cell?.kind === "space" || cell?.kind === "newline";
}

function nextWord(cells: Cells, at: number): number {
  const kind = cells[at]?.kind;
  let to = at;
  if (!isGap(cells[at])) while (cells[to] !== undefined && cells[to]?.kind === kind) to++;
  while (isGap(cells[to])) to++;
  return to;
}

function previousWord(cells: Cells, at: number): number {
  let to = at - 1;
  while (to > 0 && isGap(cells[to])) to--;
  const kind = cells[to]?.kind;
  while (to > 0 && cells[to - 1]?.kind === kind) to--;
  return Math.max(0, to);
}

function endOfWord(cells: Cells, at: number): number {
  let to = at + 1;
  while (isGap(cells[to])) to++;
  const kind = cells[to]?.kind;
  while (cells[to + 1] !== undefined && cells[to + 1]?.kind === kind) to++;
  return Math.min(to, Math.max(0, cells.length - 1));
}
