import { expect, test } from "bun:test";
import { composerOf } from "../../../src/frontends/tui/input/composer.ts";
import type { AppState } from "../../../src/frontends/tui/state.ts";
import { after, keys, READY_STATE, WORKING } from "./support.ts";

/** A draft in which `|` stands before the cursor, where keys are commands. */
function moving(written: string): AppState {
  const cursor = written.indexOf("|");
  const composer = composerOf(written.replace("|", ""));
  return {
    ...READY_STATE,
    vim: { mode: "normal" },
    composer: { ...composer, draft: { ...composer.draft, cursor } },
  };
}

/** The draft with its cursor after some keys, and `+` where keys write again. */
function typed(written: string, ...pressed: string[]): string {
  const { composer, vim } = after(moving(written), keys(...pressed)).state;
  const { text, cursor } = composer.draft;
  return `${text.slice(0, cursor)}|${text.slice(cursor)}${vim?.mode === "insert" ? "+" : ""}`;
}

test.each([
  ["one |two", "h", "one| two"],
  ["|one", "h", "|one"],
  ["one\n|two", "h", "one\n|two"],
  ["on|e", "l", "on|e"],
  ["|one two", "w", "one |two"],
  ["|one.two", "w", "one|.two"],
  ["one two |three", "b", "one |two three"],
  ["|one two", "e", "on|e two"],
  ["on|e two", "e", "one tw|o"],
  ["one t|wo", "0", "|one two"],
  ["o|ne\ntwo", "$", "on|e\ntwo"],
  ["o|ne\ntwo", "j", "one\nt|wo"],
  ["one\ntw|o", "k", "on|e\ntwo"],
  ["|漢字 x", "l", "漢|字 x"],
])("in %j, %s moves to %j", (before, pressed, behind) => {
  expect(typed(before, pressed)).toBe(behind);
});

test.each([
  ["a|b", "i", "a|b+"],
  ["a|b", "a", "ab|+"],
  ["|ab\nc", "A", "ab|\nc+"],
  ["a\nb|c", "I", "a\n|bc+"],
  ["a|b\nc", "o", "ab\n|\nc+"],
  ["a|b\nc", "O", "|\nab\nc+"],
  ["a|bc", "s", "a|c+"],
  ["a|bc\nd", "C", "a|\nd+"],
])("in %j, %s begins to write: %j", (before, pressed, behind) => {
  expect(typed(before, pressed)).toBe(behind);
});

test.each([
  ["a|bc", "x", "a|c"],
  ["ab|c", "x", "a|b"],
  ["a|bc\nd", "D", "|a\nd"],
  ["|one two", "dw", "|two"],
  ["one |two\nthree", "dw", "one| \nthree"],
  ["one t|wo", "db", "one |wo"],
  ["|one two", "de", "| two"],
  ["one t|wo", "d0", "|wo"],
  ["one |two\nx", "d$", "one| \nx"],
  ["a\n|b\nc", "dd", "a\n|c"],
  ["a\n|b", "dd", "|a"],
  ["a\n|b\nc\nd", "dj", "a\n|d"],
  ["|one two", "cw", "| two+"],
  ["a\n|bc\nd", "cc", "a\n|\nd+"],
  ["a (b |c) d", "di(", "a (|) d"],
  ["a (b |c) d", "dab", "a | d"],
  ['say "a |b" x', 'ci"', 'say "|" x+'],
  ["one tw|o three", "diw", "one | three"],
  ["one tw|o three", "daw", "one |three"],
  ["x {a [|b] c}", "di{", "x {|}"],
  ["|one", "dq", "|one"],
  ["one |two", "yiwP", "one |two"],
])("in %j, %s leaves %j", (before, pressed, behind) => {
  expect(typed(before, pressed)).toBe(behind);
});

test("what was deleted or yanked can be put back, a line as a line", () => {
  expect(typed("|one two", "dwp")).toBe("tone| wo");
  expect(typed("|a\nb", "yyp")).toBe("a\n|a\nb");
  expect(typed("|a\nb", "ddp")).toBe("b\n|a");
  expect(typed("|one", "x", "u")).toBe("|one");
});

test("Esc goes from typing to moving, from half a command to none, and then stops the turn", () => {
  const writing: AppState = { ...WORKING, vim: { mode: "insert" }, composer: composerOf("one") };
  const first = after(writing, keys("escape"));
  expect([first.state.vim?.mode, first.state.composer.draft.cursor, first.effects]).toEqual([
    "normal",
    2,
    [],
  ]);
  const half = after(first.state, keys("d", "escape"));
  expect([half.state.vim, half.effects]).toEqual([{ mode: "normal" }, []]);
  expect(after(half.state, keys("escape")).effects).toEqual([{ do: "interrupt" }]);
});

test("a slash on an empty draft begins a command, and a message that was sent leaves typing on", () => {
  expect(typed("|", "/")).toBe("/|+");
  expect(typed("|", "z")).toBe("|");
  const { state, effects } = after(moving("hell|o"), keys("enter"));
  expect([effects.at(-1)?.do, state.vim?.mode]).toEqual(["send", "insert"]);
});

test("j and k go to earlier messages from the first and the last row", () => {
  const state = { ...moving("dra|ft"), history: [{ text: "earlier", at: 0 }] };
  expect(after(state, keys("k")).state.composer.draft.text).toBe("earlier");
  expect(after(state, keys("k", "j")).state.composer.draft.text).toBe("draft");
});
