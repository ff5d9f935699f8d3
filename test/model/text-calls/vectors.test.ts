import { expect, test } from "bun:test";
import { collapsed, comparable, expected, readCut, VECTORS } from "./vectors.ts";

for (const vector of VECTORS) {
  test(`${vector.id}: whole, cut as a server would, at any place, and a character at a time`, () => {
    const wanted = expected(vector);
    expect(comparable(readCut(vector, []), vector)).toEqual(wanted);
    const each = Array.from({ length: vector.text.length }, (_, at) => at);
    const odd = [...each.map((at) => [at]), each, vector.chunks ?? []].filter(
      (cuts) => !Bun.deepEquals(comparable(readCut(vector, cuts), vector), wanted),
    );
    expect(odd).toEqual([]);
  });
}

test("what is shown before the end stays shown, but for thoughts that the prompt opened", () => {
  const odd: string[] = [];
  for (const vector of VECTORS) {
    const each = Array.from({ length: vector.text.length }, (_, at) => at);
    readCut(vector, each, (shown, wasThinking) => {
      const isPrefix = collapsed(expected(vector).shown).startsWith(collapsed(shown));
      if (!isPrefix && !wasThinking) odd.push(vector.id);
    });
  }
  expect(odd).toEqual([]);
});
