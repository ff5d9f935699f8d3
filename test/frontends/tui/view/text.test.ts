import { expect, test } from "bun:test";
import { cut, fit, hang, safe, safeLine, wrap } from "../../../../src/frontends/tui/view/text.ts";

const FAMILY = "👩‍👩‍👧";
const red = (text: string) => `\u001b[31m${text}\u001b[39m`;

test("a line breaks between words, and the spaces at the break are dropped", () => {
  expect(wrap("hello world  foo", 6)).toEqual(["hello", "world", "foo"]);
});

test("the indent of a line is kept", () => {
  expect(wrap("  set in by two", 9)).toEqual(["  set in", "by two"]);
});

test("a word that is wider than the row is broken", () => {
  expect(wrap("see abcdefghij", 6)).toEqual(["see", "abcdef", "ghij"]);
});

test("line ends stay line ends", () => {
  expect(wrap("a\n\nb", 5)).toEqual(["a", "", "b"]);
});

test("letters that are written without spaces break anywhere, but no row begins with a closing mark", () => {
  expect(wrap("日本語、日本語", 6)).toEqual(["日本", "語、日", "本語"]);
});

test("emoji sequences, flags and combining marks are never broken in two", () => {
  expect(wrap(FAMILY.repeat(3), 5)).toEqual([FAMILY.repeat(2), FAMILY]);
  expect(wrap("🇩🇪🇫🇷", 3)).toEqual(["🇩🇪", "🇫🇷"]);
  expect(wrap("e\u0301".repeat(4), 2)).toEqual(["e\u0301".repeat(2), "e\u0301".repeat(2)]);
});

test("each row closes the colours that it opened", () => {
  expect(wrap(red("red text"), 5)).toEqual([red("red"), red("text")]);
  expect(wrap(`\u001b[1mbold ${red("red text")} end\u001b[22m`, 8)).toEqual([
    `\u001b[1mbold ${red("red")}\u001b[22m`,
    `\u001b[1m${red("text")} end\u001b[22m`,
  ]);
});

test("what is wrapped behind a mark is set in by its width", () => {
  expect(hang("one two three", 8, "1. ")).toEqual(["1. one", "   two", "   three"]);
});

test("a row that is cut says so and never ends in half a character", () => {
  expect(cut("abcdef", 4)).toBe("abc…");
  expect(cut("日本語", 4)).toBe("日…");
  expect(cut(`${FAMILY}${FAMILY}x`, 3)).toBe(`${FAMILY}…`);
  expect(cut("abc", 0)).toBe("");
});

test("the right part of a row keeps its place; the left part gives way", () => {
  expect(fit("left", "right", 12)).toBe("left   right");
  expect(fit("a long left", "right", 12)).toBe("a lon… right");
});

test("control sequences, invisible and reordering characters are not drawn", () => {
  expect(safe("x \u001b]0;title\u0007\u001b[2Jy\u0090q\u009c\u202ez\u200b\u00ad\tt")).toBe("x yz    t");
});

test("a sequence without an end hides no more than its own line", () => {
  expect(safe("a\u001b]0;hidden\nshown")).toBe("a\nshown");
});

test("what joins letters and emoji is kept", () => {
  expect(safe(`${FAMILY} ☀️ نا‌م`)).toBe(`${FAMILY} ☀️ نا‌م`);
});

test("several lines can be told in one row", () => {
  expect(safeLine(" a \n  b\r\nc ")).toBe("a b c");
});

test("no row is wider than asked for, and no letter is lost, whatever the text", () => {
  const parts = [
    "a",
    "bc",
    " ",
    "  ",
    "日",
    "e\u0301",
    FAMILY,
    "🇩🇪",
    "☀️",
    "1️⃣",
    "👍🏽",
    "नमस्ते",
    "한",
    "、",
    red("r"),
  ];
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const wrong: unknown[] = [];
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: next(25) }, () => parts[next(parts.length)]).join("");
    const width = 2 + next(12);
    const rows = wrap(text, width);
    const isTooWide = [...rows, cut(text, width)].some((row) => Bun.stringWidth(row) > width);
    const isLost = letters(rows.join("")) !== letters(text);
    if (isTooWide || isLost) wrong.push({ text, width, rows });
  }
  expect(wrong).toEqual([]);
});

function letters(text: string): string {
  return Bun.stripANSI(text).replaceAll(" ", "");
}
