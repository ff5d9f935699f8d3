import { expect, test } from "bun:test";
import { composerOf } from "../../../../src/frontends/tui/input/composer.ts";
import type { AppState } from "../../../../src/frontends/tui/state.ts";
import { after, keys, READY_STATE, WORKING } from "../support.ts";

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
  ["one |two", "yiwP", "one tw|otwo"],
])("in %j, %s leaves %j", (before, pressed, behind) => {
  expect(typed(before, pressed)).toBe(behind);
});

test.each([
  ["|one two three four", "2w", "one two |three four"],
  ["|one two three four", "99w", "one two three fou|r"],
  ["|a.b-c d", "W", "a.b-c |d"],
  ["x a.b-|c", "B", "x |a.b-c"],
  ["|a.b-c d", "E", "a.b-|c d"],
  ["one two thr|ee", "2b", "one |two three"],
  ["|one two", "2e", "one tw|o"],
  ["|abcdef", "3l", "abc|def"],
  ["abcd|ef", "10h", "|abcdef"],
  ["a|bc\nd\nefg\nh", "2j", "abc\nd\ne|fg\nh"],
  ["abc\nd\ne|fg", "5k", "a|bc\nd\nefg"],
  ["  on|e", "^", "  |one"],
  ["on|e\ntwo", "2$", "one\ntw|o"],
  ["one\n  two\nth|ree", "gg", "|one\n  two\nthree"],
  ["one\n  two\nth|ree", "2gg", "one\n  |two\nthree"],
  ["o|ne\ntwo\n three", "G", "one\ntwo\n |three"],
  ["o|ne\ntwo\n three", "2G", "one\n|two\n three"],
  ["o|ne", "gx", "o|ne"],
  ["|a,b,c", "f,", "a|,b,c"],
  ["|a,b,c", "2f,", "a,b|,c"],
  ["|a,b,c", "3f,", "|a,b,c"],
  ["|a,b,c", "t,", "|a,b,c"],
  ["|aa,b,c", "t,", "a|a,b,c"],
  ["a,b,|c", "F,", "a,b|,c"],
  ["a,b,cc|c", "T,", "a,b,|ccc"],
  ["|a,b,c,d", "f,;", "a,b|,c,d"],
  ["|a,b,c,d", "f,;,", "a|,b,c,d"],
  ["|aa,bb,c", "t,;", "aa,b|b,c"],
  ["|f(a[1])", "%", "f(a[1]|)"],
  ["f(a[1]|)", "%", "f|(a[1])"],
  ["|one", "%", "|one"],
  ["on|e\ntwo\n\nthree", "}", "one\ntwo\n|\nthree"],
  ["one\n\ntwo\nth|ree", "{", "one\n|\ntwo\nthree"],
  ["|one", "5q", "|one"],
])("in %j, %s moves to %j", (before, pressed, behind) => {
  expect(typed(before, pressed)).toBe(behind);
});

test.each([
  ["|one two three four", "3dw", "|four"],
  ["|one two three four", "d2w", "|three four"],
  ["|one two three four five six seven", "2d3w", "|seven"],
  ["|one two\nthree", "d2w", "|\nthree"],
  ["|one two three", "2cw", "| three+"],
  ["|one two three", "c2w", "| three+"],
  ["|a.b c.d e", "dW", "|c.d e"],
  ["|a.b c", "cW", "| c+"],
  ["|abcdef", "3x", "|def"],
  ["ab|cdef", "9x", "a|b"],
  ["abcd|ef", "2X", "ab|ef"],
  ["|abcdef", "2s", "|cdef+"],
  ["one\nt|wo\nthree", "S", "one\n|\nthree+"],
  ["a\n|b\nc\nd\ne", "2dd", "a\n|d\ne"],
  ["a\n|b\nc\nd\ne", "d3d", "a\n|e"],
  ["a\n|b\nc", "9dd", "|a"],
  ["a\n|b\nc\nd\ne", "d2j", "a\n|e"],
  ["a\nb\nc\n|d\ne", "d2k", "a\n|e"],
  ["a\n|b\nc", "2cc", "a\n|+"],
  ["a\n|b\nc\nd", "dG", "|a"],
  ["a\nb\n|c\nd", "dgg", "|d"],
  ["|a,b,c", "df,", "|b,c"],
  ["|a,b,c", "dt,", "|,b,c"],
  ["|a,b,c", "d2f,", "|c"],
  ["a,b,|c", "dF,", "a,b|c"],
  ["|a,b", "dfx", "|a,b"],
  ["x|(a b) c", "d%", "x| c"],
  ["x(a b|) c", "d%", "x| c"],
  ["  one |two", "d^", "  |two"],
  ["a|bc", "rx", "a|xc"],
  ["|abc", "3rx", "xx|x"],
  ["|abc", "4rx", "|abc"],
  ["|aBc", "2~", "Ab|c"],
  ["|one  \n  two\nthree", "J", "one| two\nthree"],
  ["|one\ntwo\nthree", "3J", "one two| three"],
  ["|one", "J", "|one"],
  ["|abc", "xp", "b|ac"],
  ["|abc", "x3p", "baa|ac"],
  ["|a\nb", "yyP", "|a\na\nb"],
  ["|a\nb", "2yyjp", "a\nb\n|a\nb"],
  ["|a\nb", "yy2p", "a\n|a\na\nb"],
  ["|one two three", "dwu", "|one two three"],
  ["|abcd", "xxx2u", "|bcd"],
  ["|abcd", "d0", "|abcd"],
  ["|abcd 10", "10x", "|"],
])("in %j, %s leaves %j", (before, pressed, behind) => {
  expect(typed(before, pressed)).toBe(behind);
});

test("a dot does the last change again: with its count, and with what was typed", () => {
  expect(typed("|one two three", "dw", ".")).toBe("|three");
  expect(typed("|abcdefgh", "2x", "l", ".")).toBe("c|fgh");
  expect(typed("|one two", "cw", "x", "y", "escape", "w", ".")).toBe("xy x|y");
  expect(typed("|a\nb", "A", "!", "escape", "j", ".")).toBe("a!\nb|!");
  expect(typed("|a b c", "rx", "w", "y", "w", "w", ".")).toBe("x b |x");
  // An undo, a motion or a command that was given up is no change.
  expect(typed("|one two three", "dw", "u", "w", ".")).toBe("one |three");
  expect(typed("|abc", "x", "d", "escape", ".")).toBe("|c");
  expect(typed("|abc", ".")).toBe("|abc");
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
  expect([half.state.vim?.mode, half.state.vim?.pending, half.effects]).toEqual(["normal", undefined, []]);
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
