import { applyEdit, type Draft } from "../draft.ts";
import { lineEnd, lineFirst } from "./cells.ts";
import type { CellRange } from "./objects.ts";
import { inserted, lineAway, moved, offsetOf, onCharacter, type Place, replaced, textIn } from "./place.ts";

export type Operator = "delete" | "yank" | "change";
/** A draft after a command, and whether keys write from now on. */
export type Edited = { draft: Draft; isWriting?: boolean };

/** A paste many times over is no longer than this, in characters. */
const MOST_PASTED = 1024 * 1024;

export function operated(operator: Operator, place: Place, range: CellRange): Edited {
  const { draft, atoms } = place;
  const killed = textIn(place, range);
  if (operator === "yank") return { draft: { ...moved(place, range.from), killed } };
  const isWriting = operator === "change";
  if (killed === "") return { draft, isWriting };
  const after = { ...replaced(place, range, ""), killed };
  return { draft: isWriting ? after : onCharacter(after, atoms), isWriting };
}

/** The lines from that of one cell to that of another, with their line ends. */
export function lines(operator: Operator, place: Place, one: number, other: number): Edited {
  const { cells, draft, atoms } = place;
  const from = lineFirst(cells, one);
  const end = lineEnd(cells, other);
  const text = textIn(place, { from, to: end });
  if (operator === "yank") return { draft: { ...draft, killed: `${text}\n` } };
  // The last line takes the line end before it.
  const isLast = end === cells.length;
  const range =
    operator === "change"
      ? { from, to: end }
      : { from: isLast ? Math.max(0, from - 1) : from, to: isLast ? end : end + 1 };
  const { draft: cut, isWriting } = operated(operator, place, range);
  const killed = { ...cut, killed: `${text}\n` };
  if (isWriting) return { draft: killed, isWriting };
  return { draft: applyEdit(killed, { edit: "move", to: "line_start" }, atoms) };
}

/** Puts what was killed after the cursor or before it; whole lines below or above its line. */
export function pasted(place: Place, side: "after" | "before", count: number): Draft {
  const { draft, cells, at, atoms } = place;
  const { killed } = draft;
  if (killed === "") return draft;
  const times = Math.max(1, Math.min(count, Math.floor(MOST_PASTED / killed.length)));
  const text = killed.repeat(times);
  if (!killed.endsWith("\n")) {
    const start = side === "before" ? at : Math.min(lineEnd(cells, at), at + 1);
    return onCharacter(inserted(moved(place, start), text), atoms, true);
  }
  if (side === "before") {
    const above = moved(place, lineFirst(cells, at));
    return { ...inserted(above, text), cursor: above.cursor };
  }
  const below = moved(place, lineEnd(cells, at));
  return { ...inserted(below, `\n${text.slice(0, -1)}`), cursor: below.cursor + 1 };
}

/** Writes one character over `count` others; nothing when the line has fewer. */
export function overwritten(place: Place, character: string, count: number): Draft {
  const { draft, cells, at, atoms } = place;
  if (at + count > lineEnd(cells, at)) return draft;
  return onCharacter(replaced(place, { from: at, to: at + count }, character.repeat(count)), atoms, true);
}

/** Small letters become large ones and the other way round; the cursor goes after them. */
export function withOtherCase(place: Place, count: number): Draft {
  const { cells, at, atoms } = place;
  const range = { from: at, to: Math.min(lineEnd(cells, at), at + count) };
  const letters = [...textIn(place, range)].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return onCharacter(replaced(place, range, letters.join("")), atoms);
}

/** Makes one line of `count` lines, at least of two; the cursor stands where the last one was added. */
export function joinedLines(place: Place, count: number): Draft {
  const { cells, at, atoms } = place;
  const from = lineFirst(cells, at);
  const range = { from, to: lineEnd(cells, lineAway(cells, at, Math.max(1, count - 1))) };
  const [first = "", ...rest] = textIn(place, range).split("\n");
  let text = first;
  let seam = 0;
  for (const line of rest) {
    const [start, added] = [text.trimEnd(), line.trimStart()];
    seam = start.length;
    text = start === "" || added === "" ? start + added : `${start} ${added}`;
  }
  if (rest.length === 0) return place.draft;
  return onCharacter({ ...replaced(place, range, text), cursor: offsetOf(place, from) + seam }, atoms);
}

/** From `count` characters before the cursor to it, in its line. */
export function charactersBefore({ cells, at }: Place, count: number): CellRange {
  return { from: Math.max(lineFirst(cells, at), at - count), to: at };
}

export function charactersAhead({ cells, at }: Place, count: number): CellRange {
  return { from: at, to: Math.min(lineEnd(cells, at), at + count) };
}

/** The same column, in cells of the screen, some lines away; nothing when there is no such line at all. */
export function linesAway(place: Place, lines: number): Draft {
  const { cells, at } = place;
  const line = lineAway(cells, at, lines);
  if (line === at) return place.draft;
  const column = Bun.stringWidth(textIn(place, { from: lineFirst(cells, at), to: at }));
  const end = lineEnd(cells, line);
  let to = lineFirst(cells, line);
  for (let width = 0; to < end; to++) {
    width += Bun.stringWidth(textIn(place, { from: to, to: to + 1 }));
    if (width > column) break;
  }
  return moved(place, to);
}
