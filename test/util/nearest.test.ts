import { expect, test } from "bun:test";
import { editDistance, nearest } from "../../src/util/nearest.ts";

test("the distance counts insertions, deletions, replacements and swaps", () => {
  const distances = [
    ["", "ab"],
    ["abc", "ac"],
    ["abc", "axc"],
    ["exce", "exec"],
    ["kitten", "sitting"],
  ] as const;
  expect(distances.map(([a, b]) => editDistance(a, b))).toEqual([2, 1, 1, 1, 3]);
});

test("the nearest candidate is found, and none when all are too different", () => {
  const names = ["exec", "mcp", "acp", "features"];
  expect(["exce", "mpc", "feature", "build", "go"].map((word) => nearest(word, names))).toEqual([
    "exec",
    "mcp",
    "features",
    undefined,
    undefined,
  ]);
});
