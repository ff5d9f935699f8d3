import { expect, test } from "bun:test";
import { terminalSafe } from "../../src/util/untrusted-text.ts";

test("sequences that set the title or the clipboard, move the cursor or colour are left out whole", () => {
  expect(
    terminalSafe("a\u001b]52;c;eA==\u0007b\u001bP+q\u001b\\c\u001b[2Jd\u009b1Ae\u009d0;t\u009cf\u001b[31m"),
  ).toBe("abcdef");
});

test("a string sequence without an end takes no more than its line", () => {
  expect(terminalSafe("a\u001b]0;x\nb\u009d0;y\nc")).toBe("a\nb\nc");
});

test("characters that hide or reorder text are left out", () => {
  expect(terminalSafe("a\u202eb\u2066c\u061cd\u00ade\u3164f\u200bg\u2028h\ufeffi\u{e0041}j\ufdd0k")).toBe(
    "abcdefghijk",
  );
});

test("what joins letters and emoji stays", () => {
  const text = "👩‍💻 ☀️ نا‌م e\u0301";
  expect(terminalSafe(text)).toBe(text);
});

test("every line end is a line feed, and half a character is replaced", () => {
  expect(terminalSafe("a\r\nb\rc\td\ud800é")).toBe("a\nb\nc\td\ufffdé");
});
