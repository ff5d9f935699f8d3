import { expect, test } from "bun:test";
import { endsOf, tailOf } from "../../../src/tools/shell/excerpt.ts";

const bounds = { maxLines: 10, maxBytes: 1000 };

test("the last lines are numbered by all that was written", () => {
  const tail = tailOf("a\nb\nc\n", { ...bounds, maxLines: 2, totalLines: 3 });
  expect(tail).toEqual({ tail: "b\nc", fromLine: 2, toLine: 3, totalLines: 3 });
  // The text has lost its beginning already.
  expect(tailOf("b\nc\n", { ...bounds, totalLines: 900 })).toEqual({
    tail: "b\nc",
    fromLine: 899,
    toLine: 900,
    totalLines: 900,
  });
});

test("bytes bound the tail, too, and of one long line the end is kept", () => {
  expect(tailOf("aaaa\nbb\ncc", { ...bounds, maxBytes: 6, totalLines: 3 }).tail).toBe("bb\ncc");
  expect(tailOf("aaaa\nbcdef", { ...bounds, maxBytes: 3, totalLines: 2 })).toEqual({
    tail: "def",
    fromLine: 2,
    toLine: 2,
    totalLines: 2,
  });
});

test("a long text keeps its two ends, a shorter one is left alone", () => {
  expect(endsOf("abcdefgh", 4)).toEqual({ head: "ab", tail: "gh", elidedChars: 4 });
  expect(endsOf("abc", 4)).toBeUndefined();
  expect(endsOf("abcdefgh", undefined)).toBeUndefined();
});
