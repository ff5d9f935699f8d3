import { type Keymap, keyOf } from "./input/keymap.ts";
import { cut } from "./view/text.ts";
import type { Theme } from "./view/theme.ts";

/** The table of keys, in as many columns as fit. */
export function keyRows(keymap: Keymap, width: number, theme: Theme): string[] {
  const entries = [
    ["enter", "send, or steer the running turn"],
    [keyOf(keymap.editor, "newline"), "new line"],
    [keyOf(keymap.composer, "queue"), "complete, or queue while working"],
    [keyOf(keymap.chat, "edit_queued_message"), "take back the last queued message"],
    [keyOf(keymap.chat, "toggle_plan_mode"), "plan first, change nothing"],
    ["escape", "close, or stop the turn"],
    ["esc esc", "change an earlier message"],
    ["ctrl+c", "clear, stop, then quit"],
    ["ctrl+d", "quit"],
    [keyOf(keymap.global, "suspend"), "suspend"],
    [keyOf(keymap.global, "clear_terminal"), "repaint"],
    [keyOf(keymap.composer, "history_search_previous"), "search history"],
    [keyOf(keymap.global, "open_transcript"), "transcript"],
    [keyOf(keymap.global, "open_external_editor"), "editor"],
    [keyOf(keymap.composer, "paste_image"), "paste an image"],
    [keyOf(keymap.global, "copy"), "copy the last answer"],
    [keyOf(keymap.chat, "decrease_reasoning_effort"), "less reasoning"],
    [keyOf(keymap.chat, "increase_reasoning_effort"), "more reasoning"],
    ["/", "commands"],
    ["@", "files"],
    ["!", "run a command yourself, not sandboxed"],
    [keyOf(keymap.editor, "undo"), "undo"],
  ] as const;
  const texts = entries.flatMap(([key, about]) => (key === undefined ? [] : [[key, about] as const]));
  const column = 48;
  const columns = Math.max(1, Math.floor(width / column));
  const height = Math.ceil(texts.length / columns);
  return Array.from({ length: height }, (_, row) => {
    const cells = Array.from({ length: columns }, (_, i) => texts[i * height + row]).filter(
      (cell) => cell !== undefined,
    );
    const text = cells.map(([key, about]) => `  ${key.padEnd(11)} ${about}`.padEnd(column)).join("");
    return theme.dim(cut(text.trimEnd(), width - 1));
  });
}
