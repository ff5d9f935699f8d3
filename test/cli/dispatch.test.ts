import { expect, test } from "bun:test";
import { type Choice, choose } from "../../src/cli/dispatch.ts";
import type { ProgramName } from "../../src/cli/names.ts";
import { chooseBehindOptions } from "../../src/cli/root.ts";

const program = (name: ProgramName, ...argv: string[]): Choice => ({ kind: "program", program: name, argv });

test("the name of the executable chooses the program, with or without folder and .exe", () => {
  const names: [string, ProgramName][] = [
    ["apply_patch", "apply-patch"],
    ["applypatch", "apply-patch"],
    ["/tmp/x/apply_patch", "apply-patch"],
    ["interpreter-exec", "exec"],
    ["interpreter-acp", "acp"],
    ["interpreter-linux-sandbox", "linux-sandbox"],
    ["C:\\bin\\interpreter-exec.exe", "exec"],
  ];
  expect(names.map(([name]) => choose(name, ["--help"]))).toEqual(
    names.map(([, chosen]) => program(chosen, "--help")),
  );
});

test("under its own names the first argument chooses", () => {
  for (const name of ["interpreter", "i", "./i", "i.exe", "bun"]) {
    expect(choose(name, ["exec", "-m", "x"])).toEqual(program("exec", "-m", "x"));
  }
});

test("aliases, reviews and the patch marker reach their programs", () => {
  expect(choose("i", ["e", "hi"])).toEqual(program("exec", "hi"));
  expect(choose("i", ["review", "--base", "main"])).toEqual(program("review", "--base", "main"));
  expect(choose("i", ["--run-as-apply-patch", "text"])).toEqual(program("apply-patch", "text"));
});

test("programs with a name of their own are not subcommands", () => {
  for (const word of ["apply-patch", "linux-sandbox", "tui"]) {
    expect(choose("i", [word, "x"])).toEqual(program("tui", word, "x"));
  }
});

test("version and help are found, anything else is a prompt", () => {
  expect([choose("i", ["--version"]), choose("i", ["-V"])]).toEqual([
    { kind: "version" },
    { kind: "version" },
  ]);
  expect(choose("i", ["-h"])).toEqual(program("help"));
  expect(choose("i", [])).toEqual(program("tui"));
  expect(choose("i", ["fix the tests"])).toEqual(program("tui", "fix the tests"));
  expect(choose("i", ["exce", "the", "tests"])).toEqual(program("tui", "exce", "the", "tests"));
});

test("a single word that is nearly a command is a slip, others are prompts", () => {
  const words = ["exce", "feature", "mpc", "hepl", "logn", "hello", "go", "Exce", "fix"];
  expect(
    words
      .map((word) => choose("i", [word]))
      .map((choice) => ("meant" in choice ? choice.meant : choice.kind)),
  ).toEqual(["exec", "features", "mcp", "help", "login", "program", "program", "program", "program"]);
});

test("a command behind options gets them in front of its own", () => {
  expect(choose("i", ["-m", "x", "exec", "hi"])).toEqual({
    kind: "options_first",
    argv: ["-m", "x", "exec", "hi"],
  });
  expect(chooseBehindOptions(["-m", "x", "--yolo", "e", "hi"])).toEqual(
    program("exec", "-m", "x", "--yolo", "hi"),
  );
  expect(chooseBehindOptions(["-c", "exec=1", "review", "x"])).toEqual(
    program("review", "-c", "exec=1", "x"),
  );
});

test("options without a command belong to the interactive program", () => {
  expect(chooseBehindOptions(["-m", "exec", "hello"])).toEqual(program("tui", "-m", "exec", "hello"));
  expect(chooseBehindOptions(["-m", "x", "--version"])).toEqual({ kind: "version" });
  expect(chooseBehindOptions(["-m", "x", "--help"])).toEqual(program("help"));
  expect(() => chooseBehindOptions(["--modle", "x"])).toThrow("unexpected argument '--modle' found");
});
