import { expect, test } from "bun:test";
import { knowledge, noteGone, noteSeen } from "../../../src/tools/files/read-state.ts";
import { createToolMemory } from "../../../src/tools/memory.ts";

test("a file is unread, then current, stale when it changes, and unread when it is gone", () => {
  const memory = createToolMemory();
  const states = [knowledge(memory, "/f", "a")];
  noteSeen(memory, "/f", "a");
  states.push(knowledge(memory, "/f", "a"), knowledge(memory, "/f", "b"), knowledge(memory, "/g", "a"));
  noteGone(memory, "/f");
  states.push(knowledge(memory, "/f", "a"));
  expect(states).toEqual(["unread", "current", "stale", "unread", "unread"]);
});

test("text and its bytes are the same content", () => {
  const memory = createToolMemory();
  for (const text of ["plain", "caf\u00e9", "\uFEFF日本"]) {
    noteSeen(memory, "/f", Buffer.from(text));
    expect(knowledge(memory, "/f", text)).toBe("current");
  }
});
