import { expect, test } from "bun:test";
import {
  atomsOf,
  attachImage,
  composerOf,
  EMPTY_COMPOSER,
  edit,
  insert,
  joined,
  messageOf,
  paste,
  unfold,
} from "../../../../src/frontends/tui/input/composer.ts";
import { actionOf, keymapWith, keyOf } from "../../../../src/frontends/tui/input/keymap.ts";
import { key } from "../../../../src/frontends/tui/input/keys.ts";

const LONG = Array.from({ length: 300 }, (_, i) => `row ${i + 1} 漢字`).join("\n");

test("a short paste stands in the draft as it is", () => {
  expect(paste(insert(EMPTY_COMPOSER, "a "), "b\nc").draft.text).toBe("a b\nc");
});

test("what a paste would hide is not sent: colours, control characters, reordering", () => {
  const pasted = paste(EMPTY_COMPOSER, "a\u001b[31mred\u001b[0m\u0000\u202eb\u200b\n\t👩‍👧 e\u0301");
  expect(messageOf(pasted).text).toBe("aredb\n\t👩‍👧 e\u0301");
});

test("a long paste is folded, is one unit to the cursor, and is sent whole", () => {
  const composer = paste(insert(EMPTY_COMPOSER, "see "), LONG);
  expect(composer.draft.text).toBe("see [Pasted #1 · 300 lines]");
  expect(atomsOf(composer)).toEqual(["[Pasted #1 · 300 lines]"]);
  expect(edit(composer, { edit: "backspace" }).draft.text).toBe("see ");
  expect(messageOf(composer)).toEqual({ text: `see ${LONG}`, images: [] });
});

test("one long line is folded by its characters, and a second paste has a number of its own", () => {
  const composer = paste(paste(EMPTY_COMPOSER, "x".repeat(1001)), LONG);
  expect(composer.draft.text).toBe("[Pasted #1 · 1001 chars][Pasted #2 · 300 lines]");
});

test("a folded paste can be unfolded where the cursor is", () => {
  expect(unfold(paste(EMPTY_COMPOSER, LONG))?.draft.text).toBe(LONG);
  expect(unfold(insert(paste(EMPTY_COMPOSER, LONG), " and more"))).toBeUndefined();
});

test("a paste with replacement patterns in it is sent as it was", () => {
  const tricky = `${"$& $1 ".repeat(200)}end`;
  expect(messageOf(paste(EMPTY_COMPOSER, tricky)).text).toBe(tricky);
});

test("images are sent in the order of their labels, without those that were removed", () => {
  let composer = attachImage(EMPTY_COMPOSER, "/a.png", "a.png 3 KB");
  composer = attachImage(composer, "/b.png", "b.png 4 KB");
  expect(composer.draft.text).toBe("[Image #1 a.png 3 KB] [Image #2 b.png 4 KB] ");
  expect(messageOf(composer).images).toEqual(["/a.png", "/b.png"]);
  const second = composerOf("[Image #2 b.png 4 KB] only", composer.attached);
  expect(messageOf(second).images).toEqual(["/b.png"]);
});

test("keys can be given other meanings, several of them, or none", () => {
  const keymap = keymapWith({
    global: { open_transcript: "Ctrl-Y" },
    composer: { queue: ["alt+q", "f5"] },
    chat: { interrupt_turn: [] },
  });
  expect(actionOf(keymap.global, key("y", { ctrl: true }))).toBe("open_transcript");
  expect(actionOf(keymap.global, key("t", { ctrl: true }))).toBeUndefined();
  expect(actionOf(keymap.composer, key("f5"))).toBe("queue");
  expect(actionOf(keymap.chat, key("escape"))).toBeUndefined();
  expect(keyOf(keymap.chat, "interrupt_turn")).toBeUndefined();
  expect(keyOf(keymap.composer, "submit")).toBe("enter");
});

test("a keymap of the wrong shape changes nothing", () => {
  const keymap = keymapWith({ global: "nonsense", composer: { submit: 7 } });
  expect(actionOf(keymap.composer, key("enter"))).toBe("submit");
  expect(actionOf(keymap.global, key("t", { ctrl: true }))).toBe("open_transcript");
});

test("drafts that are joined keep what stands in each of them, under labels of their own", () => {
  const one = paste(EMPTY_COMPOSER, "a\n".repeat(20));
  const other = paste(paste(EMPTY_COMPOSER, "b\n".repeat(20)), "c\n".repeat(20));
  const both = joined([one, other]);
  expect(both.draft.text).toBe("[Pasted #1 · 20 lines]\n[Pasted #3 · 20 lines][Pasted #2 · 20 lines]");
  expect(messageOf(both).text).toBe(`${"a\n".repeat(20)}\n${"b\n".repeat(20)}${"c\n".repeat(20)}`.trim());
});
