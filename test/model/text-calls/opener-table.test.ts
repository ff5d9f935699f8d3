import { expect, test } from "bun:test";
import { FIRST_CHARACTERS, openers } from "../../../src/model/text-calls/opener-table.ts";

test("the characters that are looked for are those that marks begin with", () => {
  const firsts = new Set(openers().map(({ mark }) => mark.charAt(0)));
  expect([...firsts].sort()).toEqual([...FIRST_CHARACTERS].sort());
});
