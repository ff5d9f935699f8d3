import { expect, test } from "bun:test";
import { gapBetween, rowChange } from "../../../../src/frontends/tui/view/row-change.ts";

const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
const cyan = (text: string) => `\u001b[38;5;80m${text}\u001b[39m`;

test.each([
  ["  one two three", "  one two three four", { column: 9, text: " three four", isToEnd: true }],
  ["one two three", "one two", { column: 0, text: "one two", isToEnd: true }],
  // What is styled is kept as a whole, and written again when its inside changes.
  [`one ${bold("two")} three`, `one ${bold("two")} three 4`, { column: 7, text: " three 4", isToEnd: true }],
  [
    bold("one two three"),
    bold("one two three 4"),
    { column: 0, text: bold("one two three 4"), isToEnd: true },
  ],
  // Behind what may be two cells wide, and before what may join, nothing is kept.
  ["  one two 漢字 x", "  one two 漢字 xy", { column: 9, text: " 漢字 xy", isToEnd: true }],
  ["漢字 one two three", "漢字 one two 3", { column: 0, text: "漢字 one two 3", isToEnd: true }],
  ["one two cafe\u0301 x", "one two cafe x", { column: 7, text: " cafe x", isToEnd: true }],
  // In the middle, when what follows stands where it stood.
  [
    `${cyan("⠙")} ${bold("· 1s")}`,
    `${cyan("⠹")} ${bold("· 1s")}`,
    { column: 0, text: cyan("⠹"), isToEnd: false },
  ],
  ["row 1 of many · here", "row 2 of many · here", { column: 0, text: "row 2", isToEnd: false }],
  [
    "row 9 of many · here",
    "row 10 of many · here",
    { column: 0, text: "row 10 of many · here", isToEnd: true },
  ],
  // A sequence that is not ours to understand ends all keeping.
  [
    "one two \u001b[5mx three",
    "one two \u001b[5mx four",
    { column: 7, text: " \u001b[5mx four", isToEnd: true },
  ],
])("from %j to %j", (old, now, change) => {
  expect(rowChange(old, now)).toEqual(change);
});

test("rows were put in where moving the others leaves the least to write", () => {
  const status = "a status row that is long enough to be worth it";
  expect(gapBetween(["text", "", status], ["text more", "row", "", status])).toEqual({ at: 1, count: 1 });
  expect(gapBetween([status], ["one", "two", status])).toEqual({ at: 0, count: 2 });
  expect(gapBetween(["text", status], ["text", status, "list", "list"])).toBeUndefined();
  expect(gapBetween(["text", status], ["text"])).toBeUndefined();
  expect(gapBetween([], ["text"])).toBeUndefined();
});
