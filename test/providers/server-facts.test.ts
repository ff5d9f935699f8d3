import { expect, test } from "bun:test";
import { abilitiesIn, bytesIn, labelIn, nameIn, tokensIn } from "../../src/providers/server-facts.ts";

/** A value that can't even be written as a text. */
const UNWRITABLE = { toString: 1, valueOf: 1 };

test("a name counts only when it can be shown and sent back as it is", () => {
  expect(["qwen3:8b", "hf.co/org/repo:Q4_K_M", "/models/a b.gguf"].map(nameIn)).toEqual([
    "qwen3:8b",
    "hf.co/org/repo:Q4_K_M",
    "/models/a b.gguf",
  ]);
  const odd = [
    "",
    "a\nok  provider  fine",
    "a\u001b[2J",
    "a\u202eb",
    "a\u009b31m",
    "m".repeat(501),
    null,
    7,
    UNWRITABLE,
  ];
  expect(odd.map(nameIn)).toEqual(odd.map(() => undefined));
});

test("a version or a title becomes one short line", () => {
  expect(labelIn("0.32\u001b]0;title\u0007.15\n(local)")).toBe("0.32.15 (local)");
  expect(labelIn("9".repeat(1_000_000))).toBe("9".repeat(80));
  expect(["", " \n", null, UNWRITABLE].map(labelIn)).toEqual([undefined, undefined, undefined, undefined]);
});

test("a window is a whole number of tokens that a model could have", () => {
  expect([512, 40_960, 1e8].map(tokensIn)).toEqual([512, 40_960, 1e8]);
  const odd = [0, -1, 0.5, 511, 4096.5, 1e300, 2 ** 53, Number.NaN, "40960", null, UNWRITABLE];
  expect(odd.map(tokensIn)).toEqual(odd.map(() => undefined));
});

test("a size is a whole number of bytes that a disk could hold", () => {
  expect([0, 5e9].map(bytesIn)).toEqual([0, 5e9]);
  const odd = [-1, 0.5, 1e300, "5", null];
  expect(odd.map(bytesIn)).toEqual(odd.map(() => undefined));
});

test("abilities are words; whatever else stands in their list is left out", () => {
  expect(abilitiesIn(["completion", null, 5, UNWRITABLE, "c".repeat(1000), "tools"])).toEqual([
    "completion",
    "tools",
  ]);
  expect([undefined, null, "tools", { 0: "tools" }].map(abilitiesIn)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
