import { expect, test } from "bun:test";
import { nativeInput, readArguments, readFreeText } from "../../src/harness/arguments.ts";

const SCHEMA = {
  type: "object",
  properties: {
    cmd: { type: "string" },
    wait: { type: "number" },
    count: { type: "integer" },
    login: { type: "boolean" },
    mode: { type: "string", enum: ["a", "b"] },
    words: { type: "array", items: { type: "string" } },
    steps: {
      type: "array",
      items: { type: "object", properties: { step: { type: "string" } }, required: ["step"] },
    },
    either: { anyOf: [{ type: "number" }, { type: "array", items: { type: "number" } }] },
    maybe: { type: ["string", "null"] },
  },
  required: ["cmd"],
};

const read = (raw: string) => readArguments(raw, SCHEMA);
const withCmd = (fields: object) => JSON.stringify({ cmd: "x", ...fields });

const ACCEPTED = [
  [
    "the schema's own types",
    withCmd({ wait: 1.5, login: true, words: ["a"] }),
    { wait: 1.5, login: true, words: ["a"] },
  ],
  ["a number written as a string", withCmd({ wait: "2000", count: " 3 " }), { wait: 2000, count: 3 }],
  ["a truth value written as a string", withCmd({ login: "True" }), { login: true }],
  ["a list written as a string", withCmd({ words: '["a", "b"]' }), { words: ["a", "b"] }],
  ["null for a field that may be absent", withCmd({ wait: null, words: null }), {}],
  ["null where the schema wants it", withCmd({ maybe: null }), { maybe: null }],
  ["one of several shapes", withCmd({ either: [1, "2"] }), { either: [1, 2] }],
  ["a field that the schema does not know", withCmd({ other: 1 }), { other: 1 }],
  ["an object that was encoded twice", JSON.stringify(withCmd({ wait: 1 })), { wait: 1 }],
  ["line breaks inside a string", '{"cmd": "x", "maybe": "a\nb"}', { maybe: "a\nb" }],
] as const;

for (const [title, raw, fields] of ACCEPTED) {
  test(`${title} is accepted`, () => expect(read(raw)).toEqual({ fields: { cmd: "x", ...fields } }));
}

test("a number where a string is wanted is taken as its digits", () => {
  expect(read('{"cmd": 42}')).toEqual({ fields: { cmd: "42" } });
});

const REFUSED = [
  ["", "missing field `cmd`"],
  ["null", "missing field `cmd`"],
  ["{}", "missing field `cmd`"],
  ['{"command": "ls", "x": 1}', "missing field `cmd` (found `command`, `x`)"],
  ['{"cmd": null}', "missing field `cmd` (found `cmd`)"],
  ['{"cmd": "ls', "EOF while parsing a string at line 1 column 11"],
  ["ls", "expected value at line 1 column 1"],
  ["[1]", "wanted an object, found [1]"],
  ['"ls"', 'wanted an object, found "ls"'],
  ['{"cmd": ["ls"]}', 'field `cmd` must be a string, found ["ls"]'],
  [withCmd({ wait: "soon" }), 'field `wait` must be a number, found "soon"'],
  [withCmd({ count: 1.5 }), "field `count` must be an integer, found 1.5"],
  [withCmd({ login: 1 }), "field `login` must be a boolean, found 1"],
  [withCmd({ mode: "c" }), 'field `mode` must be one of "a", "b", found "c"'],
  [withCmd({ words: ["a", ["b"]] }), 'field `words[1]` must be a string, found ["b"]'],
  [withCmd({ steps: [{ step: "a" }, { text: "b" }] }), "missing field `step` in `steps[1]` (found `text`)"],
  [withCmd({ either: "x" }), 'field `either` must be a number, found "x"'],
] as const;

for (const [raw, reason] of REFUSED) {
  test(`${raw || "nothing"}: ${reason}`, () => {
    expect(read(raw)).toEqual({ problem: `failed to parse function arguments: ${reason}` });
  });
}

test("a name that every object inherits is not a field", () => {
  expect(readArguments("{}", { type: "object", properties: {}, required: ["toString"] })).toEqual({
    problem: "failed to parse function arguments: missing field `toString`",
  });
});

test("the native input is made by renaming, scaling, comparing, defaults and fixed values", () => {
  const args = {
    command: "cmd",
    timeoutMs: { from: "timeout", scale: 1000, default: 9 },
    escalate: { from: "mode", equals: "ask" },
    fixed: { value: [1] },
    absent: "nothing",
    inherited: "toString",
  };
  expect(nativeInput(args, { cmd: "ls", timeout: 2, mode: "ask", extra: 1 })).toEqual({
    command: "ls",
    timeoutMs: 2000,
    escalate: true,
    fixed: [1],
  });
  expect(nativeInput(args, { cmd: "ls", mode: "no" })).toEqual({
    command: "ls",
    timeoutMs: 9,
    escalate: false,
    fixed: [1],
  });
});

test("without a table of arguments the fields are the input", () => {
  expect(nativeInput(undefined, { path: "a" })).toEqual({ path: "a" });
});

test("free text is found in whatever a wire has wrapped it", () => {
  const texts = ['{"input": "*** p"}', '{"patch": "*** p"}', '"*** p"', "*** p"].map(readFreeText);
  expect(texts).toEqual(["*** p", "*** p", "*** p", "*** p"]);
});
