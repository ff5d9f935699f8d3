import { expect, test } from "bun:test";
import { spelledLike } from "../../src/harness/spelling.ts";

const TOOLS = ["exec_command", "write_stdin", "apply_patch", "read", "new_string", "timeout_ms", "cmd"];

test("case and separators don't matter", () => {
  for (const word of ["Exec_Command", "execCommand", "exec-command", "EXEC COMMAND", "exec.command"])
    expect(spelledLike(word, TOOLS)).toEqual({ name: "exec_command", isGuess: false });
});

test("one wrong letter in a long word is a guess", () => {
  for (const word of ["exec_comand", "exec_commnad", "execCommands"])
    expect(spelledLike(word, TOOLS)).toEqual({ name: "exec_command", isGuess: true });
});

test("short words, other words and units are never taken for each other", () => {
  for (const word of ["cwd", "rad", "old_string", "timeout_s", "timeout", "command", "exec_cammend", ""])
    expect(spelledLike(word, TOOLS)).toBeUndefined();
});

test("words that differ in a number are different", () => {
  expect(spelledLike("file1", ["file2"])).toBeUndefined();
});

test("two candidates are none", () => {
  expect(spelledLike("readfile", ["read_file", "readFile"])).toBeUndefined();
  expect(spelledLike("path_source", ["path_sourced", "path_sources"])).toBeUndefined();
});
