import { expect, test } from "bun:test";
import { layoutOf } from "../../../../src/frontends/tui/view/composer-layout.ts";

/** All rows, with `|` where the cursor stands. */
function laid(text: string, cursor: number, width = 4): string[] {
  const { count, cursor: at, rows } = layoutOf(text, cursor, width);
  return rows(0, count).map((row, i) => {
    if (i !== at.row) return row;
    const before = Bun.sliceAnsi(row, 0, at.column);
    return `${before}|${row.slice(before.length)}`;
  });
}

test.each([
  ["", 0, ["|"]],
  ["abc", 1, ["a|bc"]],
  ["abcd", 4, ["abcd|"]],
  ["abcdef", 4, ["abcd", "|ef"]],
  ["abcdefgh", 8, ["abcd", "efgh|"]],
  ["ab\n", 3, ["ab", "|"]],
  ["ab\ncdefg\n\nx", 6, ["ab", "cde|f", "g", "", "x"]],
  ["漢字かな", 2, ["漢字", "|かな"]],
  ["a漢字b", 4, ["a漢", "字b|"]],
  ["a漢字b", 2, ["a漢", "|字b"]],
  ["e\u0301e\u0301e\u0301e\u0301x", 2, ["e\u0301|e\u0301e\u0301e\u0301", "x"]],
  ["ab👩‍💻cd", 7, ["ab👩‍💻", "|cd"]],
  // No line end of another kind may reach the screen.
  ["a\r\nb\rc", 6, ["a", "bc|"]],
])("%j with the cursor at %i", (text, cursor, rows) => {
  expect(laid(text, cursor)).toEqual(rows);
});

test("of a word of 900,000 letters only the rows that are asked for are made", () => {
  const { count, cursor, rows } = layoutOf(`${"x".repeat(899_999)}y`, 900_000, 100);
  expect({ count, cursor }).toEqual({ count: 9000, cursor: { row: 8999, column: 100 } });
  expect(rows(8999, 9010)).toEqual([`${"x".repeat(99)}y`]);
});
