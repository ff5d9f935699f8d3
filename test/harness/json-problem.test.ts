import { expect, test } from "bun:test";
import { jsonProblem } from "../../src/harness/json-problem.ts";

const CASES = [
  ['{"cmd": "echo', "EOF while parsing a string at line 1 column 13"],
  ['{"cmd": "a\\', "EOF while parsing a string at line 1 column 11"],
  ['{"cmd": "a\\u12', "EOF while parsing a string at line 1 column 14"],
  ['{"cmd"', "EOF while parsing an object at line 1 column 6"],
  ['{"cmd":', "EOF while parsing a value at line 1 column 7"],
  ['{"cmd": tr', "EOF while parsing a value at line 1 column 10"],
  ['{"cmd": "a"', "EOF while parsing an object at line 1 column 11"],
  ['{"list": [1, 2', "EOF while parsing a list at line 1 column 14"],
  ["{", "EOF while parsing an object at line 1 column 1"],
  ['{"a": 1,\n "b": x}', "expected value at line 2 column 7"],
  ["ls -la", "expected value at line 1 column 1"],
  ["{'cmd': 1}", "key must be a string at line 1 column 2"],
  ['{"a": 1,}', "trailing comma at line 1 column 9"],
  ["[1,]", "trailing comma at line 1 column 4"],
  ['{"a": 1} {"b": 2}', "trailing characters at line 1 column 10"],
  ['{"a": 1 "b": 2}', "expected `,` or `}` at line 1 column 9"],
  ["[1 2]", "expected `,` or `]` at line 1 column 4"],
  ['{"a" 1}', "expected `:` at line 1 column 6"],
  ['{"a": "x\ny"}', "control character (\\u0000-\\u001F) found while parsing a string at line 2 column 0"],
  ['{"a": "\\q, and more"}', "invalid escape at line 1 column 8"],
  ["[".repeat(200), "recursion limit exceeded at line 1 column 130"],
] as const;

for (const [text, problem] of CASES) {
  test(`${JSON.stringify(text).slice(0, 40)}: ${problem}`, () => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonProblem(text)).toBe(problem);
  });
}

test("a broken text always gets a reason, wherever it is cut", () => {
  const whole = '{"a": [1, -2.5e3, {"b": "x\\n\\u00e9"}], "c": null, "d": true}';
  for (let end = 1; end < whole.length; end++) {
    expect(jsonProblem(whole.slice(0, end))).toMatch(/^EOF while parsing .* at line 1 column \d+$/);
  }
});
