import { applyEdit, type Draft } from "../draft.ts";
import type { VimAction, VimOperatorAction } from "../keymap.ts";
import { lineEnd, lineFirst } from "./cells.ts";
import {
  charactersAhead,
  charactersBefore,
  type Edited,
  joinedLines,
  lines,
  linesAway,
  type Operator,
  operated,
  pasted,
  withOtherCase,
} from "./edits.ts";
import { type Find, foundAt, isForward, opposite } from "./finds.ts";
import {
  bigWords,
  firstCharacter,
  isInclusive,
  lastOfWords,
  motionOf,
  targetOf,
  type VimMotion,
} from "./motions.ts";
import type { CellRange } from "./objects.ts";
import { inserted, lineAway, moved, onCharacter, onLine } from "./place.ts";
import type { Asked, Stepped, Vim } from "./types.ts";

/** A motion, alone or after an operator; undefined for an action that is none. */
export function movedBy(action: VimAction | VimOperatorAction, asked: Asked): Stepped | undefined {
  const { place, vim, count, isCounted, operator } = asked;
  const { cells, at } = place;
  const motion = motionOf(action);
  if (motion) {
    if (operator) return stepped(operated(operator, place, rangeOf(operator, motion, asked)), vim);
    return { draft: moved(place, onLine(cells, targetOf(motion, place, count))), vim };
  }
  if (action === "find_again") return vim.find ? found(vim.find, asked, true) : { draft: place.draft, vim };
  if (action === "find_again_backward")
    return vim.find ? found(opposite(vim.find), asked, true) : { draft: place.draft, vim };
  if (action === "last_line") return toLine(asked, isCounted ? count - 1 : cells.length);
  if (action !== "down" && action !== "up") return undefined;
  const by = action === "down" ? count : -count;
  if (!operator) return { draft: linesAway(place, by), vim };
  const other = lineAway(cells, at, by);
  return stepped(lines(operator, place, Math.min(at, other), Math.max(at, other)), vim);
}

/** `line`: counted from 0, of the whole text. */
export function toLine({ place, vim, operator }: Asked, line: number): Stepped {
  const { cells, at } = place;
  const to = lineAway(cells, 0, line);
  if (operator) return stepped(lines(operator, place, Math.min(at, to), Math.max(at, to)), vim);
  return { draft: moved(place, onLine(cells, firstCharacter(cells, to))), vim };
}

export function found(find: Find, { place, vim, count, operator }: Asked, isRepeated: boolean): Stepped {
  const to = foundAt(find, place, count, isRepeated);
  if (to === undefined) return { draft: place.draft, vim };
  if (!operator) return { draft: moved(place, to), vim };
  const range = isForward(find) ? { from: place.at, to: to + 1 } : { from: to, to: place.at };
  return stepped(operated(operator, place, range), vim);
}

const SAME_LINE = { delete_line: "delete", yank_line: "yank", change_line: "change" } as const;

/** The key of the operator again: whole lines. */
export function onLines(
  action: VimAction | VimOperatorAction,
  { place, vim, count, operator }: Asked,
): Stepped {
  const isLines = action === "delete_line" || action === "yank_line" || action === "change_line";
  if (!operator || !isLines || SAME_LINE[action] !== operator) return { draft: place.draft, vim };
  return stepped(lines(operator, place, place.at, lineAway(place.cells, place.at, count - 1)), vim);
}

export function inNormal(
  action: VimAction | VimOperatorAction,
  { place, vim, count, isCounted }: Asked,
): Stepped {
  const { draft, cells, at, atoms } = place;
  const first = lineFirst(cells, at);
  const end = lineEnd(cells, at);
  const writing = (shown: Draft): Stepped => stepped({ draft: shown, isWriting: true }, vim);
  switch (action) {
    case "insert":
      return writing(draft);
    case "append":
      return writing(moved(place, Math.min(end, at + 1)));
    case "append_line_end":
      return writing(moved(place, end));
    case "insert_line_start":
      return writing(moved(place, first));
    case "open_below":
      return writing(inserted(moved(place, end), "\n"));
    case "open_above": {
      const opened = inserted(moved(place, first), "\n");
      return writing({ ...opened, cursor: opened.cursor - 1 });
    }
    case "delete_char":
      return stepped(operated("delete", place, charactersAhead(place, count)), vim);
    case "delete_char_before":
      return stepped(operated("delete", place, charactersBefore(place, count)), vim);
    case "substitute_char":
      return stepped(operated("change", place, charactersAhead(place, count)), vim);
    case "substitute_line":
      return stepped(lines("change", place, at, lineAway(cells, at, count - 1)), vim);
    case "toggle_case":
      return { draft: withOtherCase(place, count), vim };
    case "join_lines":
      return { draft: joinedLines(place, count), vim };
    case "delete_to_line_end":
      return stepped(operated("delete", place, { from: at, to: end }), vim);
    case "change_to_line_end":
      return stepped(operated("change", place, { from: at, to: end }), vim);
    case "yank_line":
      return stepped(lines("yank", place, at, lineAway(cells, at, count - 1)), vim);
    case "paste_after":
    case "paste_before":
      return { draft: pasted(place, action === "paste_after" ? "after" : "before", count), vim };
    case "undo":
      return { draft: onCharacter(undone(draft, count), atoms), vim };
    case "delete":
    case "yank":
    case "change":
      return {
        draft,
        vim: { ...vim, pending: { operator: action, ...(isCounted ? { times: count } : {}) } },
      };
    default: // motions and what is awaited were taken before
      return { draft, vim };
  }
}

function undone(draft: Draft, count: number): Draft {
  let before = draft;
  for (let i = 0; i < count && before.past.length > 0; i++) before = applyEdit(before, { edit: "undo" });
  return before;
}

function rangeOf(operator: Operator, motion: VimMotion, { place, count }: Asked): CellRange {
  const { cells, at } = place;
  const isWord = motion === "word_forward" || motion === "big_word_forward";
  // To change a word leaves the space behind it.
  if (isWord && operator === "change" && cells[at]?.kind !== "space" && at < lineEnd(cells, at)) {
    const words = motion === "word_forward" ? cells : bigWords(cells);
    return { from: at, to: lastOfWords(words, at, count) + 1 };
  }
  const to = targetOf(motion, place, count);
  if (motion === "matching_bracket" && to !== at) return { from: Math.min(at, to), to: Math.max(at, to) + 1 };
  if (motion === "matching_bracket") return { from: at, to: at };
  if (to < at) return { from: to, to: at };
  if (isWord) {
    // The last word that is moved over ends the range where it ends a line.
    const last = targetOf(motion, place, count - 1);
    return { from: at, to: Math.min(to, lineEnd(cells, last)) };
  }
  return { from: at, to: isInclusive(motion) ? Math.min(cells.length, to + 1) : to };
}

export function stepped({ draft, isWriting = false }: Edited, vim: Vim): Stepped {
  return { draft, vim: { ...vim, mode: isWriting ? "insert" : "normal" } };
}
