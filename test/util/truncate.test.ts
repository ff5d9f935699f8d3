import { expect, test } from "bun:test";
import { splitAtBytes, tokensIn, truncateMiddle } from "../../src/util/truncate.ts";

test("text within the budget comes back unchanged", () => {
  expect(truncateMiddle("0123456789", { unit: "bytes", limit: 10 })).toBe("0123456789");
  expect(truncateMiddle("0123456789ab", { unit: "tokens", limit: 3 })).toBe("0123456789ab");
});

test("longer text keeps head and tail in equal share and says how many characters are gone", () => {
  expect(truncateMiddle("0123456789", { unit: "bytes", limit: 4 })).toBe("01…6 chars truncated…89");
});

test("with a budget in tokens the loss is told in tokens", () => {
  expect(truncateMiddle("a".repeat(100), { unit: "tokens", limit: 2 })).toBe("aaaa…23 tokens truncated…aaaa");
});

test("a cut never splits a character", () => {
  expect(truncateMiddle("ééééé", { unit: "bytes", limit: 6 })).toBe("é…3 chars truncated…é");
  expect(truncateMiddle("🙂🙂🙂🙂", { unit: "bytes", limit: 9 })).toBe("🙂…2 chars truncated…🙂");
});

test("a budget of nothing leaves only the mark", () => {
  expect(truncateMiddle("abc", { unit: "bytes", limit: 0 })).toBe("…3 chars truncated…");
});

test("a token is taken to be four bytes, rounded up", () => {
  expect([0, 1, 4, 5].map(tokensIn)).toEqual([0, 1, 1, 2]);
});

test("splitting at a number of bytes leaves characters whole", () => {
  expect(splitAtBytes("aéb", 2)).toEqual(["a", "éb"]);
  expect(splitAtBytes("aéb", 3)).toEqual(["aé", "b"]);
  expect(splitAtBytes("aéb", 0)).toEqual(["", "aéb"]);
});
