import { applyEdit, type Draft } from "../draft.ts";
import { actionOf, type Keymap, type VimAction, type VimOperatorAction } from "../keymap.ts";
import type { KeyEvent } from "../keys.ts";
import { type Cell, cellsOf, lineEnd, lineFirst } from "./cells.ts";
import { isInclusive, targetOf, type VimMotion } from "./motions.ts";
import { type CellRange, objectAt } from "./objects.ts";

/** Behind `operator`, a motion or an object is expected; `object` says that it is an object, and which part of it. */
export type Vim = { mode: "insert" | "normal"; operator?: Operator; object?: "inner" | "around" };
type Operator = "delete" | "yank" | "change";
type Stepped = { draft: Draft; vim: Vim };
type Place = { draft: Draft; cells: readonly Cell[]; at: number; atoms: readonly string[] };

const INSERT: Vim = { mode: "insert" };
const NORMAL: Vim = { mode: "normal" };

/** From typing to moving: the cursor stands on the character before it. */
export function leaveInsert(draft: Draft, atoms: readonly string[]): Stepped {
  const place = placeIn(draft, atoms);
  const isFirst = place.at === lineFirst(place.cells, place.at);
  return { draft: isFirst ? draft : applyEdit(draft, { edit: "move", to: "left" }, atoms), vim: NORMAL };
}

/** What a key does where keys are commands; undefined for one that is none. */
export function vimKey(
  { draft, vim }: Stepped,
  event: KeyEvent,
  { keymap, atoms }: { keymap: Keymap; atoms: readonly string[] },
): Stepped | undefined {
  const place = placeIn(draft, atoms);
  const { operator, object } = vim;
  if (operator && object) {
    const wanted = actionOf(keymap.vim_text_object, event);
    const range = wanted && objectAt(wanted, object === "around", { text: draft.text, ...place });
    return range ? operated(operator, place, range) : { draft, vim: NORMAL };
  }
  if (operator) return afterOperator(operator, actionOf(keymap.vim_operator, event), place);
  const action = actionOf(keymap.vim_normal, event);
  return action && inNormal(action, place);
}

function placeIn(draft: Draft, atoms: readonly string[]): Place {
  const cells = cellsOf(draft.text, atoms);
  const found = cells.findIndex(({ end }) => end > draft.cursor);
  return { draft, cells, at: found < 0 ? cells.length : found, atoms };
}

function inNormal(action: VimAction, place: Place): Stepped {
  const { draft, cells, at, atoms } = place;
  const first = lineFirst(cells, at);
  const end = lineEnd(cells, at);
  switch (action) {
    case "insert":
      return { draft, vim: INSERT };
    case "append":
      return { draft: moved(place, Math.min(end, at + 1)), vim: INSERT };
    case "append_line_end":
      return { draft: moved(place, end), vim: INSERT };
    case "insert_line_start":
      return { draft: moved(place, first), vim: INSERT };
    case "open_below":
      return { draft: inserted(moved(place, end), "\n"), vim: INSERT };
    case "open_above": {
      const opened = inserted(moved(place, first), "\n");
      return { draft: { ...opened, cursor: opened.cursor - 1 }, vim: INSERT };
    }
    case "down":
    case "up":
      return { draft: applyEdit(draft, { edit: "move", to: `line_${action}` }, atoms), vim: NORMAL };
    case "left":
    case "right":
    case "word_forward":
    case "word_backward":
    case "word_end":
    case "line_start":
    case "line_end":
      return { draft: moved(place, onLine(cells, targetOf(action, cells, at))), vim: NORMAL };
    case "delete_char":
      return operated("delete", place, { from: at, to: Math.min(end, at + 1) });
    case "substitute_char":
      return operated("change", place, { from: at, to: Math.min(end, at + 1) });
    case "delete_to_line_end":
      return operated("delete", place, { from: at, to: end });
    case "change_to_line_end":
      return operated("change", place, { from: at, to: end });
    case "yank_line":
      return lines("yank", place, at, at);
    case "paste_after":
      return { draft: pasted(place), vim: NORMAL };
    case "undo":
      return { draft: applyEdit(draft, { edit: "undo" }), vim: NORMAL };
    case "delete":
    case "yank":
    case "change":
      return { draft, vim: { mode: "normal", operator: action } };
  }
}

const SAME_LINE = { delete_line: "delete", yank_line: "yank", change_line: "change" } as const;

function afterOperator(operator: Operator, action: VimOperatorAction | undefined, place: Place): Stepped {
  const { draft, at, atoms } = place;
  switch (action) {
    case undefined:
      return { draft, vim: NORMAL };
    case "inner":
    case "around":
      return { draft, vim: { mode: "normal", operator, object: action } };
    case "delete_line":
    case "yank_line":
    case "change_line":
      return SAME_LINE[action] === operator ? lines(operator, place, at, at) : { draft, vim: NORMAL };
    case "down":
    case "up": {
      const other = placeIn(applyEdit(draft, { edit: "move", to: `line_${action}` }, atoms), atoms).at;
      return lines(operator, place, Math.min(at, other), Math.max(at, other));
    }
    case "left":
    case "right":
    case "word_forward":
    case "word_backward":
    case "word_end":
    case "line_start":
    case "line_end":
      return operated(operator, place, rangeOf(operator, action, place));
  }
}

function rangeOf(operator: Operator, motion: VimMotion, { cells, at }: Place): CellRange {
  // To change a word leaves the space behind it.
  const isWord = motion === "word_forward" && operator === "change" && cells[at]?.kind !== "space";
  if (isWord) return { from: at, to: lastOfWord(cells, at) + 1 };
  const to = targetOf(motion, cells, at);
  if (to < at) return { from: to, to: at };
  const isLastWord = motion === "word_forward" && to > lineEnd(cells, at);
  if (isLastWord) return { from: at, to: lineEnd(cells, at) };
  return { from: at, to: isInclusive(motion) ? Math.min(cells.length, to + 1) : to };
}

function lastOfWord(cells: readonly Cell[], at: number): number {
  let last = at;
  while (cells[last + 1] !== undefined && cells[last + 1]?.kind === cells[at]?.kind) last++;
  return last;
}

/** The lines from that of one cell to that of another, with their line ends. */
function lines(operator: Operator, place: Place, one: number, other: number): Stepped {
  const { cells, draft, atoms } = place;
  const from = lineFirst(cells, one);
  const end = lineEnd(cells, other);
  const text = textIn(place, { from, to: end });
  if (operator === "yank") return { draft: { ...draft, killed: `${text}\n` }, vim: NORMAL };
  // The last line takes the line end before it.
  const isLast = end === cells.length;
  const range =
    operator === "change"
      ? { from, to: end }
      : { from: isLast ? Math.max(0, from - 1) : from, to: isLast ? end : end + 1 };
  const { draft: cut, vim } = operated(operator, place, range);
  const killed = { ...cut, killed: `${text}\n` };
  if (operator === "change") return { draft: killed, vim };
  return { draft: applyEdit(killed, { edit: "move", to: "line_start" }, atoms), vim };
}

function operated(operator: Operator, place: Place, range: CellRange): Stepped {
  const { draft, atoms } = place;
  const killed = textIn(place, range);
  if (operator === "yank") return { draft: { ...moved(place, range.from), killed }, vim: NORMAL };
  const vim = operator === "change" ? INSERT : NORMAL;
  if (killed === "") return { draft, vim };
  const from = offsetOf(place, range.from);
  const cut = applyEdit(draft, { edit: "replace", from, to: from + killed.length, text: "" });
  const after = { ...cut, killed };
  return { draft: vim === INSERT ? after : onCharacter(after, atoms), vim };
}

function pasted(place: Place): Draft {
  const { draft, cells, at, atoms } = place;
  const { killed } = draft;
  if (killed === "") return draft;
  if (!killed.endsWith("\n")) {
    const end = lineEnd(cells, at);
    return onCharacter(inserted(moved(place, Math.min(end, at + 1)), killed), atoms, true);
  }
  const below = moved(place, lineEnd(cells, at));
  const put = inserted(below, `\n${killed.slice(0, -1)}`);
  return { ...put, cursor: below.cursor + 1 };
}

/** The cursor on a character rather than behind the last one of its line. */
function onCharacter(draft: Draft, atoms: readonly string[], isBehind = false): Draft {
  const place = placeIn(draft, atoms);
  const isFirst = place.at === lineFirst(place.cells, place.at);
  const isPast = place.at === lineEnd(place.cells, place.at);
  return !isFirst && (isPast || isBehind) ? moved(place, place.at - 1) : draft;
}

function onLine(cells: readonly Cell[], to: number): number {
  const isPast = to === lineEnd(cells, to) && to > lineFirst(cells, to);
  return isPast ? to - 1 : to;
}

function inserted(draft: Draft, text: string): Draft {
  return applyEdit(draft, { edit: "insert", text });
}

function moved(place: Place, to: number): Draft {
  return { ...place.draft, cursor: offsetOf(place, to) };
}

function offsetOf({ draft, cells }: Place, at: number): number {
  return cells[at]?.start ?? draft.text.length;
}

function textIn(place: Place, { from, to }: CellRange): string {
  return place.draft.text.slice(offsetOf(place, from), offsetOf(place, to));
}
