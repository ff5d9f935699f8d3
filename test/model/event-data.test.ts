import { expect, test } from "bun:test";
import { valuesIn } from "../../src/model/event-data.ts";

test("an event holds one value as a rule, and noise holds none", () => {
  expect(valuesIn('{"a":1}')).toEqual([{ a: 1 }]);
  expect(valuesIn('{"a":\n1}')).toEqual([{ a: 1 }]);
  expect(valuesIn("[DONE]")).toEqual(["[DONE]"]);
  expect(valuesIn("keep-alive")).toEqual([]);
});

test("events without a blank line between them are told apart", () => {
  expect(valuesIn('{"a":1}\n{"a":2}\n[DONE]')).toEqual([{ a: 1 }, { a: 2 }, "[DONE]"]);
});

test("a frame within a frame is taken off", () => {
  expect(valuesIn('data: {"a":1}')).toEqual([{ a: 1 }]);
  expect(valuesIn("data: [DONE]")).toEqual(["[DONE]"]);
});
