import { expect, test } from "bun:test";
import { shortHex, uuidV7 } from "../../src/util/ids.ts";

test("ids made one after the other sort in that order, also within one millisecond", () => {
  const ids = Array.from({ length: 20_000 }, uuidV7);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an id is a version 7 UUID that holds the time it was made", () => {
  const before = Date.now();
  const id = uuidV7();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const madeAt = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before);
  expect(madeAt).toBeLessThanOrEqual(Date.now());
});

test("a short name has the asked number of hexadecimal digits", () => {
  for (const length of [1, 2, 7, 8]) expect(shortHex(length)).toMatch(new RegExp(`^[0-9a-f]{${length}}$`));
});
