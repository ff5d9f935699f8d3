import { applyEdit, type Draft } from "../draft.ts";
import type { KeyEvent } from "../keys.ts";
import type { Change, Recent, Stepped, Vim, VimKeys } from "./types.ts";
import { leaveInsert, vimKey } from "./vim.ts";

const NOTHING: Recent = { keys: [] };

/** Notes a key that was a command, or part of one. `isChange`: false for what is not to be done again, such as an undo. */
export function noted(
  recent: Recent = NOTHING,
  event: KeyEvent,
  { before, after, isChange }: { before: Draft; after: Stepped; isChange: boolean },
): Recent {
  const keys = [...recent.keys, event];
  const { change } = recent;
  const { draft, vim } = after;
  if (vim.pending) return { keys, change };
  if (vim.mode === "insert") {
    const around = { before: draft.text.slice(0, draft.cursor), behind: draft.text.slice(draft.cursor) };
    return { keys, around, change };
  }
  return { keys: [], change: isChange && draft.text !== before.text ? { keys, typed: "" } : change };
}

/** Half a command is given up. */
export function givenUp(vim: Vim): Vim {
  return { ...vim, pending: undefined, recent: { keys: [], change: vim.recent?.change } };
}

/** The typing has ended. Where the cursor went elsewhere meanwhile, what was typed is not known. */
export function typed(recent: Recent = NOTHING, { text }: Draft): Recent {
  const { keys, around, change } = recent;
  const isKnown =
    around !== undefined &&
    text.length >= around.before.length + around.behind.length &&
    text.startsWith(around.before) &&
    text.endsWith(around.behind);
  if (!isKnown) return { keys: [], change };
  const end = text.length - around.behind.length;
  return { keys: [], change: { keys, typed: text.slice(around.before.length, end) } };
}

/** Does a change once more, where the cursor stands now. */
export function repeated({ keys, typed: text }: Change, start: Stepped, around: VimKeys): Stepped {
  let now = start;
  for (const key of keys) now = vimKey(now, key, around) ?? now;
  if (now.vim.mode === "normal") return now;
  const draft = applyEdit(now.draft, { edit: "insert", text });
  return leaveInsert({ ...now, draft }, around.atoms);
}
