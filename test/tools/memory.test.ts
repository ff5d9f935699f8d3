import { expect, test } from "bun:test";
import { createToolMemory } from "../../src/tools/memory.ts";
import type { MemoryKey } from "../../src/tools/types.ts";

const list = (name: string): MemoryKey<string[]> => ({ name, init: () => [] });

test("a value is made once per memory and key", () => {
  const key = list("a");
  const [one, other] = [createToolMemory(), createToolMemory()];
  one.get(key).push("x");
  expect([one.get(key), one.get(list("a")), other.get(key)]).toEqual([["x"], [], []]);
});

test("disposing goes newest first, past failures, and reports the first one", async () => {
  const log: string[] = [];
  const key = (name: string, fails = false): MemoryKey<string> => ({
    name,
    init: () => name,
    dispose(value) {
      log.push(value);
      if (fails) throw new Error(`${value} failed`);
    },
  });
  const memory = createToolMemory();
  for (const made of [key("a", true), list("b"), key("c", true), key("d")]) memory.get<unknown>(made);
  await expect(memory.dispose()).rejects.toThrow("c failed");
  await memory.dispose();
  expect(log).toEqual(["d", "c", "a"]);
});
