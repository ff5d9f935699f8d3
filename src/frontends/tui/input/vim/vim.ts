import { applyEdit } from "../draft.ts";
import { actionOf, type Keymap, type VimAction, type VimOperatorAction } from "../keymap.ts";
import type { KeyEvent } from "../keys.ts";
import { lineFirst } from "./cells.ts";
import { found, inNormal, movedBy, onLines, stepped, toLine } from "./commands.ts";
import { operated, overwritten } from "./edits.ts";
import { findOf } from "./finds.ts";
import { objectAt } from "./objects.ts";
import { placeIn } from "./place.ts";
import type { Asked, Pending, Stepped, Vim, VimKeys } from "./types.ts";

const MOST_TIMES = 9999;

/** From typing to moving: the cursor stands on the character before it. */
export function leaveInsert({ draft, vim }: Stepped, atoms: readonly string[]): Stepped {
  const place = placeIn(draft, atoms);
  const isFirst = place.at === lineFirst(place.cells, place.at);
  return {
    draft: isFirst ? draft : applyEdit(draft, { edit: "move", to: "left" }, atoms),
    vim: { ...vim, mode: "normal" },
  };
}

/** What a key does where keys are commands; undefined for one that is none. */
export function vimKey(
  { draft, vim }: Stepped,
  event: KeyEvent,
  { keymap, atoms }: VimKeys,
): Stepped | undefined {
  const pending = vim.pending ?? {};
  const place = placeIn(draft, atoms);
  const { operator } = pending;
  const isCounted = pending.times !== undefined || pending.count !== undefined;
  const count = Math.min(MOST_TIMES, (pending.times ?? 1) * (pending.count ?? 1));
  const asked: Asked = { place, vim: idle(vim), count, isCounted, operator };
  if (pending.awaits) return afterAwaited(pending.awaits, event, asked, keymap);
  const action = operator ? actionOf(keymap.vim_operator, event) : actionOf(keymap.vim_normal, event);
  const counted = countedBy(event, action, pending);
  if (counted) return { draft, vim: { ...vim, pending: counted } };
  if (action === undefined) return vim.pending ? { draft, vim: idle(vim) } : undefined;
  const awaits = awaitedBy(action);
  if (awaits) return { draft, vim: { ...vim, pending: { ...pending, awaits } } };
  return movedBy(action, asked) ?? (operator ? onLines(action, asked) : inNormal(action, asked));
}

/** A digit is part of a count; a zero that begins none is a key like others. */
function countedBy({ name, ctrl, alt }: KeyEvent, action: string | undefined, pending: Pending) {
  const { count } = pending;
  if (ctrl || alt || !/^[0-9]$/.test(name)) return undefined;
  if (count === undefined && (name === "0" || action !== undefined)) return undefined;
  return { ...pending, count: Math.min(MOST_TIMES, (count ?? 0) * 10 + Number(name)) };
}

function idle(vim: Vim): Vim {
  return { ...vim, pending: undefined };
}

function characterOf({ name, ctrl, alt }: KeyEvent): string | undefined {
  if (ctrl || alt) return undefined;
  if (name === "space") return " ";
  return /^[a-z][a-z0-9]+$/.test(name) ? undefined : name;
}

function awaitedBy(action: VimAction | VimOperatorAction): Pending["awaits"] {
  const isOther =
    action === "inner" || action === "around" || action === "first_line" || action === "replace_char";
  return isOther ? action : findOf(action);
}

function afterAwaited(
  awaits: NonNullable<Pending["awaits"]>,
  event: KeyEvent,
  asked: Asked,
  keymap: Keymap,
): Stepped {
  const { place, vim, count, operator } = asked;
  const nothing: Stepped = { draft: place.draft, vim };
  if (awaits === "inner" || awaits === "around") {
    const wanted = actionOf(keymap.vim_text_object, event);
    const range = wanted && objectAt(wanted, awaits === "around", { text: place.draft.text, ...place });
    return range && operator ? stepped(operated(operator, place, range), vim) : nothing;
  }
  if (awaits === "first_line") {
    const isSame = actionOf(operator ? keymap.vim_operator : keymap.vim_normal, event) === "first_line";
    return isSame ? toLine(asked, count - 1) : nothing;
  }
  const character = characterOf(event);
  if (character === undefined) return nothing;
  if (awaits === "replace_char") return { draft: overwritten(place, character, count), vim };
  const find = { action: awaits, character };
  return found(find, { ...asked, vim: { ...vim, find } }, false);
}
