import { applyEdit, type Draft } from "../draft.ts";
import { type Cell, cellsOf, lineEnd, lineFirst } from "./cells.ts";
import type { CellRange } from "./objects.ts";

/** A draft in its cells, and the one that the cursor stands on. */
export type Place = { draft: Draft; cells: readonly Cell[]; at: number; atoms: readonly string[] };

export function placeIn(draft: Draft, atoms: readonly string[]): Place {
  const cells = cellsOf(draft.text, atoms);
  const found = cells.findIndex(({ end }) => end > draft.cursor);
  return { draft, cells, at: found < 0 ? cells.length : found, atoms };
}

export function moved(place: Place, to: number): Draft {
  return { ...place.draft, cursor: offsetOf(place, to) };
}

export function inserted(draft: Draft, text: string): Draft {
  return applyEdit(draft, { edit: "insert", text });
}

export function offsetOf({ draft, cells }: Place, at: number): number {
  return cells[at]?.start ?? draft.text.length;
}

export function textIn(place: Place, { from, to }: CellRange): string {
  return place.draft.text.slice(offsetOf(place, from), offsetOf(place, to));
}

/** Puts a text in the place of some cells; the cursor is after it. */
export function replaced(place: Place, range: CellRange, text: string): Draft {
  const from = offsetOf(place, range.from);
  const edit = { edit: "replace", from, to: from + textIn(place, range).length, text } as const;
  return applyEdit(place.draft, edit);
}

/** The cursor on a character rather than after the last one of its line. */
export function onCharacter(draft: Draft, atoms: readonly string[], isBehind = false): Draft {
  const place = placeIn(draft, atoms);
  const isFirst = place.at === lineFirst(place.cells, place.at);
  const isPast = place.at === lineEnd(place.cells, place.at);
  return !isFirst && (isPast || isBehind) ? moved(place, place.at - 1) : draft;
}

export function onLine(cells: readonly Cell[], to: number): number {
  const isPast = to === lineEnd(cells, to) && to > lineFirst(cells, to);
  return isPast ? to - 1 : to;
}

/** A cell in the line that is `lines` below (above, when negative) that of cell `at`, or in the last there is. */
export function lineAway(cells: readonly Cell[], at: number, lines: number): number {
  let to = at;
  for (let i = 0; i < Math.abs(lines); i++) {
    const next = lines > 0 ? lineEnd(cells, to) + 1 : lineFirst(cells, to) - 1;
    if (next < 0 || next > cells.length) break;
    to = next;
  }
  return to;
}
