import { type Cell, lineEnd, lineFirst } from "./cells.ts";
import { lineAway, type Place, textIn } from "./place.ts";

const MOTIONS = [
  "left",
  "right",
  "word_forward",
  "word_backward",
  "word_end",
  "big_word_forward",
  "big_word_backward",
  "big_word_end",
  "line_start",
  "first_character",
  "line_end",
  "paragraph_backward",
  "paragraph_forward",
  "matching_bracket",
] as const;
export type VimMotion = (typeof MOTIONS)[number];
type Cells = readonly Cell[];

export function motionOf(action: string): VimMotion | undefined {
  return MOTIONS.find((motion) => motion === action);
}

/** Where a motion leads that is made `count` times: an index, which may be that after the last cell. */
export function targetOf(motion: VimMotion, place: Place, count: number): number {
  const { cells, at } = place;
  switch (motion) {
    case "left":
      return Math.max(lineFirst(cells, at), at - count);
    case "right":
      return Math.min(lineEnd(cells, at), at + count);
    case "word_forward":
      return repeated(nextWord, cells, at, count);
    case "word_backward":
      return repeated(previousWord, cells, at, count);
    case "word_end":
      return repeated(endOfWord, cells, at, count);
    case "big_word_forward":
      return repeated(nextWord, bigWords(cells), at, count);
    case "big_word_backward":
      return repeated(previousWord, bigWords(cells), at, count);
    case "big_word_end":
      return repeated(endOfWord, bigWords(cells), at, count);
    case "line_start":
      return lineFirst(cells, at);
    case "first_character":
      return firstCharacter(cells, at);
    case "line_end": {
      const line = lineAway(cells, at, count - 1);
      return Math.max(lineFirst(cells, line), lineEnd(cells, line) - 1);
    }
    case "paragraph_backward":
      return repeated(previousGap, cells, at, count);
    case "paragraph_forward":
      return repeated(nextGap, cells, at, count);
    case "matching_bracket":
      return matchOf(place);
  }
}

/** Does an operator take the cell that the motion leads to as well? */
export function isInclusive(motion: VimMotion): boolean {
  return ["word_end", "big_word_end", "line_end"].includes(motion);
}

/** Words that hold signs, too. */
export function bigWords(cells: Cells): Cell[] {
  return cells.map((cell) => (cell.kind === "sign" ? { ...cell, kind: "word" } : cell));
}

/** The first cell of a line that is no space. */
export function firstCharacter(cells: Cells, at: number): number {
  let to = lineFirst(cells, at);
  while (cells[to]?.kind === "space") to++;
  return to;
}

/** The last cell of the `count`th word, counted from the one that cell `at` is in. */
export function lastOfWords(cells: Cells, at: number, count: number): number {
  let last = at;
  while (cells[last + 1] !== undefined && cells[last + 1]?.kind === cells[at]?.kind) last++;
  return repeated(endOfWord, cells, last, count - 1);
}

function repeated(
  step: (cells: Cells, at: number) => number,
  cells: Cells,
  at: number,
  count: number,
): number {
  let to = at;
  for (let i = 0; i < count; i++) {
    const next = step(cells, to);
    if (next === to) break;
    to = next;
  }
  return to;
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

/** The next empty line after a line that is not empty. */
function nextGap(cells: Cells, at: number): number {
  let to = at;
  while (to < cells.length && isEmptyLine(cells, to)) to++;
  while (to < cells.length && !isEmptyLine(cells, to)) to++;
  return to;
}

function previousGap(cells: Cells, at: number): number {
  let to = at;
  while (to > 0 && isEmptyLine(cells, to)) to--;
  while (to > 0 && !isEmptyLine(cells, to)) to--;
  return to;
}

function isEmptyLine(cells: Cells, at: number): boolean {
  const isEnd = at === cells.length || cells[at]?.kind === "newline";
  return isEnd && (at === 0 || cells[at - 1]?.kind === "newline");
}

const PAIRS = ["()", "[]", "{}"];

/** The bracket that belongs to the first one from here on in the line; the cell itself when there is none. */
function matchOf(place: Place): number {
  const { cells, at } = place;
  const sign = (i: number) => textIn(place, { from: i, to: i + 1 });
  for (let i = at; i < lineEnd(cells, at); i++) {
    const pair = PAIRS.find((both) => both.includes(sign(i)));
    if (pair === undefined) continue;
    const by = sign(i) === pair[0] ? 1 : -1;
    let depth = 0;
    for (let to = i; to >= 0 && to < cells.length; to += by) {
      if (!pair.includes(sign(to))) continue;
      depth += sign(to) === sign(i) ? 1 : -1;
      if (depth === 0) return to;
    }
    return at;
  }
  return at;
}
