import { expect, test } from "bun:test";
import { beginsWith, plainWords } from "../../src/util/plain-command.ts";

const sh = (script: string) => plainWords(["/bin/bash", "-lc", script]);

test.each([
  ["npm install left-pad", ["npm", "install", "left-pad"]],
  [` make  -j4 'a b' "c d"e `, ["make", "-j4", "a b", "c de"]],
  ["pytest tests/test_a.py::test_b", ["pytest", "tests/test_a.py::test_b"]],
])("%j is a program with its arguments", (script, words) => {
  expect(sh(script)).toEqual(words);
});

test.each([
  "a; b",
  "a && b",
  "a | b",
  "a & b",
  "a\nb",
  "a > f",
  "a < f",
  "a $HOME",
  'a "$HOME"',
  'a "`b`"',
  "a $(b)",
  "a *",
  "a ~/x",
  "a {b,c}",
  "X=1 a",
  "a # b",
  "a 'open",
  "a \\; b",
  "!a",
  "(a)",
  "",
])("%j is more than that", (script) => {
  expect(sh(script)).toBeUndefined();
});

test("a command without a shell is its own words, and a shell with other options is none", () => {
  expect(plainWords(["make", "a b"])).toEqual(["make", "a b"]);
  expect(plainWords(["bash", "-lc", "make", "x"])).toBeUndefined();
});

test("a beginning is compared word by word", () => {
  expect(beginsWith(["npm", "install", "x"], ["npm", "install"])).toBe(true);
  expect(beginsWith(["npm", "installer"], ["npm", "install"])).toBe(false);
  expect(beginsWith(["npm"], [])).toBe(false);
});
