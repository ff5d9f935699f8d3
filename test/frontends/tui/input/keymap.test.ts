import { expect, test } from "bun:test";
import { plainKeyName } from "../../../../src/frontends/tui/input/key-names.ts";
import { keymapWith, keyOf } from "../../../../src/frontends/tui/input/keymap.ts";
import { keymapProblems } from "../../../../src/frontends/tui/input/keymap-problems.ts";

test.each([
  ["Ctrl-T", "ctrl+t"],
  ["control+shift+up", "ctrl+shift+up"],
  ["Alt-Ctrl-X", "ctrl+alt+x"],
  ["option+Enter", "alt+enter"],
  ["Esc", "escape"],
  ["PgUp", "pageup"],
  ["shift+g", "G"],
  ["ctrl+-", "ctrl+-"],
  ["ctrl++", "ctrl++"],
  ["+", "+"],
  ["?", "?"],
  [" ", "space"],
  ["F5", "f5"],
])("%j is the key %j", (written, name) => {
  expect(plainKeyName(written)).toBe(name);
});

test.each(["", "hyper+x", "ctrl+", "ctrl+x ctrl+e", "nokey"])("%j is not a key", (written) => {
  expect(plainKeyName(written)).toBeUndefined();
});

test("the keys that come with the program mean one thing each in their context", () => {
  const own = Object.fromEntries(Object.keys(keymapWith(undefined)).map((context) => [context, {}]));
  expect(keymapProblems(own)).toEqual([]);
});

test("own keys take the place of the usual ones", () => {
  const own = { global: { copy: ["ctrl+y", "f5"], open_transcript: [] } };
  expect(keymapProblems(own)).toEqual([]);
  const { global } = keymapWith(own);
  expect([keyOf(global, "copy"), keyOf(global, "open_transcript")]).toEqual(["ctrl+y", undefined]);
});

test("what can't be meant is named", () => {
  const own = {
    globl: {},
    chat: 3,
    global: { copy: "ctrl+t", opn_transcript: "x", suspend: 5 },
    editor: { yank: "ctrl+x ctrl+y", undo: "ctrl+hurz" },
  };
  expect(keymapProblems(own)).toEqual([
    'tui.keymap has no context "globl", did you mean "global"?',
    "tui.keymap.chat must be a table of actions",
    'tui.keymap.global has no action "opn_transcript", did you mean "open_transcript"?',
    "tui.keymap.global.suspend must be a key, a list of keys, or []",
    'tui.keymap.global: "ctrl+t" is both open_transcript and copy',
    'tui.keymap.editor.yank: "ctrl+x ctrl+y" is several keys; one is needed',
    'tui.keymap.editor.undo: "ctrl+hurz" is not a known key',
  ]);
});
