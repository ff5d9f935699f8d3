import { browsed } from "./browse.ts";
import { atomsOf, insert, isEmpty } from "./input/composer.ts";
import type { Draft } from "./input/draft.ts";
import { actionOf } from "./input/keymap.ts";
import type { KeyEvent } from "./input/keys.ts";
import { givenUp, noted, repeated, typed } from "./input/vim/repeat.ts";
import type { Vim } from "./input/vim/types.ts";
import { leaveInsert, vimKey } from "./input/vim/vim.ts";
import type { AppState, Surroundings } from "./state.ts";

/** Esc where vim keys are on: from typing to moving, and from half a command to none. Undefined where it means more. */
export function leftInsert(state: AppState): AppState | undefined {
  const { vim, composer } = state;
  if (vim?.mode === "normal" && vim.pending) return { ...state, vim: givenUp(vim) };
  if (vim?.mode !== "insert" || isEmpty(composer)) return undefined;
  const { draft } = composer;
  const recent = typed(vim.recent, draft);
  return withDraft(state, leaveInsert({ draft, vim: { ...vim, recent } }, atomsOf(composer)));
}

/** What a key does where keys are commands; undefined for one that is not vim's. */
export function vimStep(state: AppState, event: KeyEvent, { keymap }: Surroundings): AppState | undefined {
  const { vim, composer } = state;
  if (vim?.mode !== "normal") return undefined;
  const action = vim.pending ? undefined : actionOf(keymap.vim_normal, event);
  const earlier = action === "up" || action === "down" ? browsed(state, action) : undefined;
  if (earlier) return earlier;
  const { draft } = composer;
  const keys = { keymap, atoms: atomsOf(composer) };
  const change = vim.recent?.change;
  if (action === "repeat") return change ? withDraft(state, repeated(change, { draft, vim }, keys)) : state;
  const done = vimKey({ draft, vim }, event, keys);
  if (done) {
    const recent = noted(vim.recent, event, { before: draft, after: done, isChange: action !== "undo" });
    return withDraft(state, { draft: done.draft, vim: { ...done.vim, recent } });
  }
  if (event.ctrl || event.alt || !isOneCharacter(event.name)) return undefined;
  // The first character of a command, a file or a command line begins to write; another one means nothing.
  const begins = isEmpty(composer) && "/@!".includes(event.name);
  return begins
    ? { ...state, composer: insert(composer, event.name), vim: { ...vim, mode: "insert" } }
    : state;
}

function isOneCharacter(name: string): boolean {
  return !/^[a-z][a-z0-9]+$/.test(name);
}

function withDraft(state: AppState, { draft, vim }: { draft: Draft; vim: Vim }): AppState {
  const { composer } = state;
  const isChanged = draft.text !== composer.draft.text;
  const next = isChanged ? { draft, attached: composer.attached } : { ...composer, draft };
  return { ...state, composer: next, vim };
}
