import { lineEnd, lineFirst } from "./cells.ts";
import { type Place, textIn } from "./place.ts";

const FINDS = ["find_forward", "find_backward", "till_forward", "till_backward"] as const;
export type FindAction = (typeof FINDS)[number];
/** A character that is looked for in the line. */
export type Find = { action: FindAction; character: string };

export function findOf(action: string | undefined): FindAction | undefined {
  return FINDS.find((find) => find === action);
}

const OPPOSITE = {
  find_forward: "find_backward",
  find_backward: "find_forward",
  till_forward: "till_backward",
  till_backward: "till_forward",
} as const;

export function opposite({ action, character }: Find): Find {
  return { action: OPPOSITE[action], character };
}

export function isForward({ action }: Find): boolean {
  return action.endsWith("forward");
}

/**
 * The cell that the `count`th find leads to; undefined when the line has none. A repeated `till` goes beyond the character
 * that it stands at.
 */
export function foundAt(find: Find, place: Place, count: number, isRepeated: boolean): number | undefined {
  const { cells, at } = place;
  const by = isForward(find) ? 1 : -1;
  const isTill = find.action.startsWith("till");
  const [first, end] = [lineFirst(cells, at), lineEnd(cells, at)];
  let left = count;
  for (let to = at + (isTill && isRepeated ? 2 * by : by); to >= first && to < end; to += by) {
    if (textIn(place, { from: to, to: to + 1 }) !== find.character) continue;
    left -= 1;
    if (left === 0) return isTill ? to - by : to;
  }
  return undefined;
}
