import { expect, test } from "bun:test";
import { collapsed, comparable, expected, readCut, VECTORS } from "./vectors.ts";

for (const vector of VECTORS) {
  test(`${vector.id}: in one piece, and cut as a server would`, () => {
    expect(comparable(readCut(vector, []), vector)).toEqual(expected(vector));
    if (vector.chunks) expect(comparable(readCut(vector, vector.chunks), vector)).toEqual(expected(vector));
  });
}

test("every answer reads the same cut at any place, and a character at a time", () => {
  const odd: string[] = [];
  for (const vector of VECTORS) {
    const wanted = JSON.stringify(expected(vector));
    const each = Array.from({ length: vector.text.length }, (_, at) => [at]);
    for (const cuts of [...each, each.flat()]) {
      const found = comparable(readCut(vector, cuts), vector);
      if (JSON.stringify(found) !== wanted) odd.push(`${vector.id} at ${cuts.length > 1 ? "each" : cuts[0]}`);
    }
  }
  expect(odd).toEqual([]);
});

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
