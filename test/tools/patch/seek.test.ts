import { expect, test } from "bun:test";
import { seek } from "../../../src/tools/patch/seek.ts";

/** The place as a plain search finds it. */
function plainSeek(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  for (let at = from; at + wanted.length <= lines.length; at++)
    if (wanted.every((line, i) => lines[at + i] === line)) return at;
  return undefined;
}

test("lines are found at the first place where a plain search finds them", () => {
  let seed = 7;
  const below = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % limit;
  };
  const some = (count: number) => Array.from({ length: count }, () => (below(3) === 0 ? "b" : "a"));
  for (let round = 0; round < 3000; round++) {
    const lines = some(below(14));
    const wanted = some(below(5));
    const from = below(4);
    expect([lines, wanted, from, seek(lines, wanted, from)]).toEqual([
      lines,
      wanted,
      from,
      plainSeek(lines, wanted, from),
    ]);
  }
});

test("each line of the file is read once for each way of reading, whatever the file repeats", () => {
  let reads = 0;
  const lines = new Proxy(Array<string>(20_000).fill("same"), {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads++;
      return Reflect.get(target, name, receiver);
    },
  });
  const wanted = [...Array<string>(5_000).fill("same"), "other"];
  expect([seek(lines, wanted, 0), reads]).toEqual([undefined, 80_000]);
});
