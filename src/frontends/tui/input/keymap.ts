import { isRecord } from "../../../util/json.ts";
import { plainKeyName } from "./key-names.ts";
import { type KeyEvent, keyName } from "./keys.ts";
import { VIM_NORMAL, VIM_OPERATOR, VIM_TEXT_OBJECT } from "./vim/bindings.ts";

/** Each action with the keys that do it. The first key is the one that is shown. */
export type Bindings<Action extends string> = readonly (readonly [Action, readonly string[]])[];

const GLOBAL = [
  ["open_transcript", ["ctrl+t"]],
  ["open_external_editor", ["ctrl+g"]],
  ["copy", ["ctrl+o"]],
  ["clear_terminal", ["ctrl+l"]],
  ["suspend", ["ctrl+z"]],
  ["toggle_vim_mode", []],
  ["toggle_side_conversation", ["ctrl+/"]],
] as const;

const CHAT = [
  ["interrupt_turn", ["escape"]],
  ["edit_queued_message", ["alt+up", "shift+left"]],
  ["decrease_reasoning_effort", ["alt+,", "shift+down"]],
  ["increase_reasoning_effort", ["alt+.", "shift+up"]],
  ["toggle_plan_mode", ["shift+tab"]],
] as const;

const COMPOSER = [
  ["submit", ["enter"]],
  ["queue", ["tab"]],
  ["toggle_shortcuts", ["?"]],
  ["history_search_previous", ["ctrl+r"]],
  ["paste_image", ["ctrl+v"]],
] as const;

const EDITOR = [
  ["newline", ["shift+enter", "alt+enter", "ctrl+j"]],
  ["move_left", ["left", "ctrl+b"]],
  ["move_right", ["right", "ctrl+f"]],
  ["move_up", ["up", "ctrl+p"]],
  ["move_down", ["down", "ctrl+n"]],
  ["move_word_left", ["alt+b", "alt+left", "ctrl+left"]],
  ["move_word_right", ["alt+f", "alt+right", "ctrl+right"]],
  ["move_line_start", ["home", "ctrl+a"]],
  ["move_line_end", ["end", "ctrl+e"]],
  ["delete_backward", ["backspace", "ctrl+h", "shift+backspace"]],
  ["delete_forward", ["delete", "ctrl+d"]],
  ["delete_backward_word", ["ctrl+w", "alt+backspace", "ctrl+backspace"]],
  ["delete_forward_word", ["alt+d", "alt+delete", "ctrl+delete"]],
  ["kill_line_start", ["ctrl+u"]],
  ["kill_line_end", ["ctrl+k"]],
  ["yank", ["ctrl+y"]],
  ["undo", ["ctrl+_"]],
] as const;

const LIST = [
  ["up", ["up", "ctrl+p", "ctrl+k"]],
  ["down", ["down", "ctrl+n", "ctrl+j"]],
  ["page_up", ["pageup"]],
  ["page_down", ["pagedown"]],
  ["accept", ["enter"]],
  ["complete", ["tab"]],
  ["cancel", ["escape", "ctrl+c"]],
] as const;

const PAGER = [
  ["line_up", ["up", "k"]],
  ["line_down", ["down", "j", "enter"]],
  ["page_up", ["pageup", "shift+space", "ctrl+b", "b"]],
  ["page_down", ["pagedown", "space", "ctrl+f"]],
  ["half_page_up", ["ctrl+u"]],
  ["half_page_down", ["ctrl+d"]],
  ["top", ["home", "g"]],
  ["bottom", ["end", "G"]],
  ["search", ["/"]],
  ["next_match", ["n"]],
  ["previous_match", ["N"]],
  ["previous_cell", ["["]],
  ["next_cell", ["]"]],
  ["copy_cell", ["y"]],
  ["close", ["q", "escape", "ctrl+c", "ctrl+t"]],
] as const;

const APPROVAL = [
  ["approve", ["y"]],
  ["approve_for_session", ["a"]],
  ["approve_for_prefix", ["p"]],
  ["approve_always", ["w"]],
  ["deny", ["n", "d"]],
  ["edit", ["e"]],
  ["open_fullscreen", ["v", "ctrl+a"]],
  ["cancel", ["escape", "c", "ctrl+c"]],
  ["up", ["up", "k"]],
  ["down", ["down", "j"]],
  ["accept", ["enter"]],
] as const;

const DEFAULT_KEYMAP = {
  global: bindings(GLOBAL),
  chat: bindings(CHAT),
  composer: bindings(COMPOSER),
  editor: bindings(EDITOR),
  list: bindings(LIST),
  pager: bindings(PAGER),
  approval: bindings(APPROVAL),
  vim_normal: bindings(VIM_NORMAL),
  vim_operator: bindings(VIM_OPERATOR),
  vim_text_object: bindings(VIM_TEXT_OBJECT),
};

export type Keymap = typeof DEFAULT_KEYMAP;
export type EditorAction = (typeof EDITOR)[number][0];

export type PagerAction = (typeof PAGER)[number][0];
export type ApprovalAction = (typeof APPROVAL)[number][0];
export type VimAction = (typeof VIM_NORMAL)[number][0];
export type VimOperatorAction = (typeof VIM_OPERATOR)[number][0];

/** The action of a key, if it has one. */
export function actionOf<Action extends string>(
  known: Bindings<Action>,
  event: KeyEvent,
): Action | undefined {
  const name = keyName(event);
  return known.find(([, keys]) => keys.includes(name))?.[0];
}

/** The key of an action as it is shown; undefined when it is unbound. */
export function keyOf<Action extends string>(known: Bindings<Action>, action: Action): string | undefined {
  return known.find(([name]) => name === action)?.[1][0];
}

/** The keys with the user's own (`tui.keymap.<context>.<action>`: a key, a list, or `[]` for none) in their place. */
export function keymapWith(own: unknown): Keymap {
  return {
    global: rebound(DEFAULT_KEYMAP.global, tableAt(own, "global")),
    chat: rebound(DEFAULT_KEYMAP.chat, tableAt(own, "chat")),
    composer: rebound(DEFAULT_KEYMAP.composer, tableAt(own, "composer")),
    editor: rebound(DEFAULT_KEYMAP.editor, tableAt(own, "editor")),
    list: rebound(DEFAULT_KEYMAP.list, tableAt(own, "list")),
    pager: rebound(DEFAULT_KEYMAP.pager, tableAt(own, "pager")),
    approval: rebound(DEFAULT_KEYMAP.approval, tableAt(own, "approval")),
    vim_normal: rebound(DEFAULT_KEYMAP.vim_normal, tableAt(own, "vim_normal")),
    vim_operator: rebound(DEFAULT_KEYMAP.vim_operator, tableAt(own, "vim_operator")),
    vim_text_object: rebound(DEFAULT_KEYMAP.vim_text_object, tableAt(own, "vim_text_object")),
  };
}

function bindings<const Action extends string>(
  table: readonly (readonly [Action, readonly string[]])[],
): Bindings<Action> {
  return table;
}

function rebound<Action extends string>(
  known: Bindings<Action>,
  own: Readonly<Record<string, unknown>>,
): Bindings<Action> {
  return known.map(([action, keys]) => [action, keysFrom(own[action]) ?? keys] as const);
}

function keysFrom(value: unknown): string[] | undefined {
  const written = typeof value === "string" ? [value] : value;
  if (!Array.isArray(written)) return undefined;
  return written.flatMap((key) => (typeof key === "string" ? (plainKeyName(key) ?? []) : []));
}

function tableAt(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const found = isRecord(value) ? value[key] : undefined;
  return isRecord(found) ? found : {};
}
