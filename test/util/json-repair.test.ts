import { expect, test } from "bun:test";
import { repairJson } from "../../src/util/json-repair.ts";

const SAFE = [
  ['{"a": [1, 2,], }', { a: [1, 2] }, ["a comma before a closing bracket"]],
  ["{'a': 'it\\'s \"b\"'}", { a: 'it\'s "b"' }, ["single quotes"]],
  ['{"a": "x\n\ty"}', { a: "x\n\ty" }, ["a line break inside a string"]],
  ['{"a": True, "b": [False, None]}', { a: true, b: [false, null] }, ["True, False or None"]],
  ['{"a": 1, // why\n # and\n "b": /* here */ 2}', { a: 1, b: 2 }, ["a comment"]],
  ['{a: "x", b-c: -2.5e3}', { a: "x", "b-c": -2500 }, ["a name without quotes"]],
  ['{"a": {"b": 1}}}', { a: { b: 1 } }, ["a closing bracket too many"]],
  ['```json\n{"a": 1}\n```\n', { a: 1 }, ["a code fence"]],
  ['{"a": "\\u00e9\\/\\n",}', { a: "é/\n" }, ["a comma before a closing bracket"]],
  [
    '{"cmd": "grep \\d \\\\. C:\\users"}',
    { cmd: "grep \\d \\. C:\\users" },
    ["a backslash that is not an escape"],
  ],
  ['{"a": 1}</tool_call><|im_end|>\n', { a: 1 }, ["a tag behind the end"]],
  ["{'__proto__': 1}", Object.fromEntries([["__proto__", 1]]), ["single quotes"]],
] as const;

for (const [text, value, repairs] of SAFE) {
  test(`${JSON.stringify(text)} has one reading`, () => {
    expect(repairJson(text)).toEqual({ value, repairs: [...repairs], isGuess: false });
  });
}

test("closing brackets that are missing after a whole value are a guess", () => {
  const wanted = { repairs: ["a missing closing bracket"], isGuess: true };
  expect(repairJson('{"a": "x"')).toEqual({ value: { a: "x" }, ...wanted });
  expect(repairJson('{"a": [{"b": true}, {"c": null')).toEqual({
    value: { a: [{ b: true }, { c: null }] },
    ...wanted,
  });
  expect(repairJson('{"a": 12 ')).toEqual({ value: { a: 12 }, ...wanted });
});

const REFUSED = [
  ['{"a": "x', "the text ends inside a string"],
  ['{"a": "x\\', "the text ends inside an escape"],
  ['{"a": 12', "the number may have more digits"],
  ['{"a": "x",', "something was about to follow"],
  ['{"a":', "the value is missing"],
  ["{", "nothing is there"],
  ["{bad", "a name has no value"],
  ['{"a": tru', "half a word"],
  ['{"cmd": "echo "hi""}', "quotes inside quotes"],
  ["{'cmd': 'echo it's'}", "an apostrophe inside single quotes"],
  ['{"cmd": "it\\\'s"}', "a backslash that may be meant as it is"],
  ['{"cmd": ls}', "a text without quotes"],
  ['{"a": 1 "b": 2}', "no comma between"],
  ['{"a": 1, "a": 2,}', "one name twice"],
  ['{"a": 1} {"b": 2}', "two objects"],
  ['{"a": [1, 2}', "brackets that cross"],
  ['{"a": 1,, "b": 2}', "two commas"],
  ['{"a": 1 /* why', "a comment without its end"],
  ["ls -la", "no object at all"],
  ["[".repeat(200), "brackets without end"],
] as const;

for (const [text, why] of REFUSED) {
  test(`${JSON.stringify(text).slice(0, 40)} is refused: ${why}`, () =>
    expect(repairJson(text)).toBeUndefined());
}

test("a text that was cut somewhere is read as a whole or not at all", () => {
  const whole = '{"a": [1, -2.5, {"b": "x\\n\\u00e9"}], "c": null, "d": "y"}';
  for (let end = 1; end < whole.length; end++) {
    const repaired = repairJson(whole.slice(0, end));
    if (repaired) expect(whole.slice(0, end)).toMatch(/[}\]"l]$|2\.5, $/);
    expect(repaired?.isGuess ?? true).toBe(true);
  }
  expect(repairJson(whole)).toEqual({ value: JSON.parse(whole), repairs: [], isGuess: false });
});
