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
      items: {
        type: "object",
        properties: { step: { type: "string" }, state: { enum: ["done", "in_progress"] } },
        required: ["step"],
      },
    },
    either: { anyOf: [{ type: "number" }, { type: "array", items: { type: "number" } }] },
    maybe: { type: ["string", "null"] },
    workdir: { type: "string" },
    maxWait: { type: "integer" },
  },
  required: ["cmd"],
};

const read = (raw: string, mayGuess = true) => readArguments(raw, SCHEMA, mayGuess);
const problemOf = (...args: Parameters<typeof read>) => {
  const result = read(...args);
  return "problem" in result ? { problem: result.problem } : result;
};
const withCmd = (fields: object) => JSON.stringify({ cmd: "x", ...fields });

const ACCEPTED = [
  [
    "the schema's own types",
    withCmd({ wait: 1.5, login: true, words: ["a"] }),
    { wait: 1.5, login: true, words: ["a"] },
  ],
  ["null for a field that may be absent", withCmd({ wait: null, words: null }), {}],
  ["null where the schema wants it", withCmd({ maybe: null }), { maybe: null }],
  ["a field that the schema does not know", withCmd({ other: 1 }), { other: 1 }],
  ["an object that was encoded twice", JSON.stringify(withCmd({ wait: 1 })), { wait: 1 }],
] as const;

for (const [title, raw, fields] of ACCEPTED) {
  test(`${title}: accepted without a word`, () =>
    expect(read(raw)).toEqual({ fields: { cmd: "x", ...fields }, repairs: [] }));
}

const REPAIRED = [
  [
    "a number written as a string",
    withCmd({ wait: "2000", count: " 3 " }),
    { wait: 2000, count: 3 },
    "field `wait` read as a number; field `count` read as a number",
  ],
  [
    "a truth value written as a string",
    withCmd({ login: "True" }),
    { login: true },
    "field `login` read as a boolean",
  ],
  [
    "a list written as a string",
    withCmd({ words: '["a", "b"]' }),
    { words: ["a", "b"] },
    "field `words` read as an array",
  ],
  [
    "one of several shapes, with a number as a string",
    withCmd({ either: [1, "2"] }),
    { either: [1, 2] },
    "field `either[1]` read as a number",
  ],
  [
    "a word in other letters than the allowed one",
    withCmd({ steps: [{ step: "a", state: "In-Progress" }] }),
    { steps: [{ step: "a", state: "in_progress" }] },
    'field `steps[0].state` read as "in_progress"',
  ],
  [
    "names in other letters, at every depth",
    withCmd({ Words: ["a"], steps: [{ Step: "a" }] }),
    { words: ["a"], steps: [{ step: "a" }] },
    "`Words` read as `words`; `Step` read as `step`",
  ],
  [
    "a name with separators",
    withCmd({ "work-Dir": "/w", max_wait: 1 }),
    { workdir: "/w", maxWait: 1 },
    "`work-Dir` read as `workdir`; `max_wait` read as `maxWait`",
  ],
  [
    "a name with one wrong letter",
    withCmd({ wrokdir: "/w" }),
    { workdir: "/w" },
    "`wrokdir` read as `workdir`",
  ],
  [
    "line breaks inside a string",
    '{"cmd": "x", "maybe": "a\nb"}',
    { maybe: "a\nb" },
    "a line break inside a string",
  ],
  ["a comma too many", '{"cmd": "x",}', {}, "a comma before a closing bracket"],
  ["a missing bracket", '{"cmd": "x"', {}, "a missing closing bracket"],
  [
    "a dictionary of Python",
    "{'cmd': 'x', 'login': True, 'words': None}",
    { login: true },
    "single quotes; True, False or None",
  ],
] as const;

for (const [title, raw, fields, repairs] of REPAIRED) {
  test(`${title}: accepted, and the model hears of it`, () =>
    expect(read(raw)).toEqual({ fields: { cmd: "x", ...fields }, repairs: repairs.split("; ") }));
}

test("a command line is found in a list of words, and such a list under its other name", () => {
  const renamed = "`command` read as `cmd`";
  const joined = "`cmd` read as one command line";
  expect(read('{"cmd": ["bash", "-lc", "a | b"]}')).toEqual({
    fields: { cmd: "a | b" },
    repairs: [joined],
  });
  expect(read('{"command": ["ls", "my file"]}')).toEqual({
    fields: { cmd: "ls 'my file'" },
    repairs: [renamed, joined],
  });
  for (const list of ["[]", "[1]", '{"a": 1}']) expect(read(`{"cmd": ${list}}`)).toHaveProperty("problem");
});

test("a required field is found under another spelling, never under another word", () => {
  expect(read('{"CMD": "x"}')).toEqual({ fields: { cmd: "x" }, repairs: ["`CMD` read as `cmd`"] });
  for (const name of ["command", "cwd", "cmds", "cm"])
    expect(read(`{"${name}": "x"}`)).toHaveProperty("problem");
});

test("a number where a string is wanted is taken as its digits", () => {
  expect(read('{"cmd": 42}')).toEqual({
    fields: { cmd: "42" },
    repairs: ["field `cmd` read as a string"],
  });
});

test("two spellings of one field are both left alone", () => {
  expect(read('{"cmd": "x", "Words": ["a"], "WORDS": ["b"]}')).toEqual({
    fields: { cmd: "x", Words: ["a"], WORDS: ["b"] },
    repairs: [],
  });
});

test("a table with names of the model's choice keeps them", () => {
  const schema = { type: "object", properties: { path: {} }, additionalProperties: { type: "string" } };
  expect(readArguments('{"Path": "x"}', schema, true)).toEqual({ fields: { Path: "x" }, repairs: [] });
});

test("where a guess could do harm, a missing bracket and a wrong letter are problems", () => {
  expect(problemOf('{"cmd": "x"', false)).toEqual({
    problem: "failed to parse function arguments: EOF while parsing an object at line 1 column 11",
  });
  expect(problemOf('{"cmd": "x", "wrokdir": "/w"}', false)).toEqual({
    problem: "failed to parse function arguments: unknown field `wrokdir`; did you mean `workdir`?",
  });
  expect(read("{'CMD': 'x',}", false)).toMatchObject({ fields: { cmd: "x" } });
});

const REFUSED = [
  ["", "missing field `cmd`"],
  ["null", "missing field `cmd`"],
  ["{}", "missing field `cmd`"],
  ['{"script": "ls", "x": 1}', "missing field `cmd` (found `script`, `x`)"],
  ['{"cmd": null}', "missing field `cmd` (found `cmd`)"],
  ['{"cmd": "ls', "EOF while parsing a string at line 1 column 11"],
  ["ls", "expected value at line 1 column 1"],
  ["[1]", "wanted an object, found [1]"],
  ['"ls"', 'wanted an object, found "ls"'],
  ['{"cmd": [1]}', "field `cmd` must be a string, found [1]"],
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
    expect(problemOf(raw)).toEqual({ problem: `failed to parse function arguments: ${reason}` });
  });
}

test("a name that every object inherits is not a field", () => {
  expect(readArguments("{}", { type: "object", properties: {}, required: ["toString"] }, true)).toEqual({
    problem: "failed to parse function arguments: missing field `toString`",
    field: "toString",
    reason: "missing",
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
  const texts = ['{"input": "*** p"}', '{"patch": "*** p",}', '"*** p"', "*** p"].map(readFreeText);
  expect(texts).toEqual(["*** p", "*** p", "*** p", "*** p"]);
  expect(readFreeText('{"input": "*** p\n+a"}')).toBe("*** p\n+a");
  expect(readFreeText('{"input": "*** p"')).toBe('{"input": "*** p"');
});

const LIMITS = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    id: { type: "string", pattern: "^wf_" },
    lines: { type: "integer", exclusiveMinimum: 0, maximum: 200 },
    share: { type: "number", minimum: 0, maximum: 1 },
    list: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
    kind: { const: "file" },
    either: { anyOf: [{ type: "number" }, { type: "string" }] },
  },
  anyOf: [{ required: ["name"] }, { required: ["id"] }],
};

const limited = (fields: object) => readArguments(JSON.stringify(fields), LIMITS, true);

test("a number beyond a bound is taken as the bound, and the model is told", () => {
  expect(limited({ name: "a", lines: 500, share: -1 })).toEqual({
    fields: { name: "a", lines: 200, share: 0 },
    repairs: ["field `lines` read as 200", "field `share` read as 0"],
  });
});

test("nothing for a field that may be absent is not a value", () => {
  expect(limited({ id: "wf_1", name: "", lines: 0 })).toEqual({
    fields: { id: "wf_1" },
    repairs: ["field `name` read as left out", "field `lines` read as left out"],
  });
});

test("of several forms the one that fits as it is comes first", () => {
  expect(limited({ name: "a", either: "5" })).toEqual({ fields: { name: "a", either: "5" }, repairs: [] });
});

const BEYOND = [
  ["a list that is too short", { name: "a", list: [] }, "field `list` must have at least 1 entries, found 0"],
  [
    "a list that is too long",
    { name: "a", list: ["a", "b", "c"] },
    "field `list` must have at most 2 entries, found 3",
  ],
  ["a text of another form", { name: "a", id: "x" }, 'field `id` must match ^wf_, found "x"'],
  ["another constant", { name: "a", kind: "dir" }, 'field `kind` must be one of "file", found "dir"'],
  ["fields besides alternatives", { name: "a", lines: {} }, "field `lines` must be an integer, found {}"],
  ["none of the alternatives", { lines: 3 }, "missing field `name` (found `lines`)"],
] as const;

for (const [title, fields, problem] of BEYOND) {
  test(`${title}: the model hears of it`, () =>
    expect(limited(fields)).toMatchObject({ problem: `failed to parse function arguments: ${problem}` }));
}

test("an input may be made of several parameters, each one word of a command, or of the first that is there", () => {
  const args = {
    command: { template: "gh {{what}} view {{n}}{{#more}} --comments{{/more}}", quote: "shell" as const },
    path: { from: ["path", "file"] },
    text: { template: "{{what}} {{list}}" },
  };
  expect(nativeInput(args, { what: "a'; rm -rf $HOME", n: 3, more: false, file: "f", list: [1] })).toEqual({
    command: `gh 'a'"'"'; rm -rf $HOME' view 3`,
    path: "f",
    text: "a'; rm -rf $HOME [1]",
  });
});
