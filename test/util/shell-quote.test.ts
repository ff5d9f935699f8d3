import { expect, test } from "bun:test";
import { shellQuote } from "../../src/util/shell-quote.ts";

test("a command line reads as a person would write it", () => {
  expect(shellQuote(["/bin/bash", "-lc", "true"])).toBe("/bin/bash -lc true");
  expect(shellQuote(["/bin/bash", "-lc", "echo hi; exit 3"])).toBe("/bin/bash -lc 'echo hi; exit 3'");
  expect(shellQuote(["sh", "-c", "echo it's"])).toBe(`sh -c "echo it's"`);
  expect(shellQuote(["a", "", "X=1"])).toBe("a '' 'X=1'");
});

test("a shell reads the very same words back", () => {
  const words = ["it's $HOME", "'", "''a'", 'q"q', "`x`", "a\nb", "\\", "é 🙂", "!x'"];
  const script = `printf '%s\\0' ${shellQuote(words)}`;
  const { stdout } = Bun.spawnSync(["/bin/sh", "-c", script]);
  expect(stdout.toString().split("\0").slice(0, -1)).toEqual(words);
});
