import { expect, test } from "bun:test";
import { replayArguments } from "../../src/model/tool-arguments.ts";

function replayed(raw: string): string {
  return replayArguments({ kind: "json", raw }, false);
}

test("valid arguments go back byte for byte", () => {
  expect(replayed('{ "b": 1,\n"a": "x" }')).toBe('{ "b": 1,\n"a": "x" }');
});

test("arguments that were repaired go back as they were run", () => {
  expect(replayed("{'cmd': 'echo \"a\"', 'tty': True,}")).toBe('{"cmd":"echo \\"a\\"","tty":true}');
  expect(replayed(JSON.stringify("{'cmd': 'ls'}"))).toBe('{"cmd":"ls"}');
});

test("arguments that can't be read, or may have lost their end, go back inside valid JSON", () => {
  expect(replayed('{"cmd": "ls"')).toBe('{"invalid_json":"{\\"cmd\\": \\"ls\\""}');
  expect(replayed("ls -la")).toBe('{"invalid_json":"ls -la"}');
});
