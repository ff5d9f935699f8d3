import { expect, test } from "bun:test";
import { shellCommand } from "../../../src/tools/shell-command.ts";
import { bench, commandIn, gone, outputIn, RecordedItem, textIn } from "./support.ts";

test("the model reads exit code, time and output", async () => {
  await using b = bench();
  const result = await b.call(shellCommand, { command: "echo hi; exit 3" });
  expect(textIn(result)).toMatch(/^Exit code: 3\nWall time: \d+\.\d seconds\nOutput:\nhi\n$/);
  expect(result.ok).toBe(false);
});

test("of too much output the number of lines is told", async () => {
  await using b = bench({ outputLimit: { unit: "bytes", limit: 20 } });
  const text = textIn(await b.call(shellCommand, { command: "seq 1 50000" }));
  expect(text).toContain(
    "\nTotal output lines: 50000\nOutput:\n1\n2\n3\n4\n5\n…288874 chars truncated…999\n50000\n",
  );
});

test("a command that runs out of time ends with its children and code 124", async () => {
  await using b = bench();
  const result = await b.call(shellCommand, { command: "(sleep 60 & echo $!; wait)", timeoutMs: 3000 });
  expect(textIn(result)).toMatch(
    /^Exit code: 124\nWall time: \d+\.\d seconds\nOutput:\ncommand timed out after 3000 milliseconds\n\d+\n$/,
  );
  expect(result.ok).toBe(false);
  expect(result.fields).toMatchObject({ exitCode: 124, timedOut: true, aborted: false });
  expect(commandIn(result.detail).exitCode).toBe(124);
  await gone(Number(outputIn(result).split("\n")[1]));
});

test("an abort ends the command and says so", async () => {
  await using b = bench();
  const item = new RecordedItem();
  const abort = new AbortController();
  const running = b.call(shellCommand, { command: "echo $$; exec sleep 60" }, { item, signal: abort.signal });
  await item.saw("\n");
  abort.abort();
  const result = await running;
  expect(outputIn(result)).toMatch(/^command aborted by the user after \d+\.\d seconds\n\d+\n$/);
  expect(result.fields).toMatchObject({ timedOut: false, aborted: true });
});

test("a folder that does not exist is named", async () => {
  await using b = bench();
  const result = await b.call(shellCommand, { command: "pwd", workdir: "gone" });
  expect(textIn(result)).toBe(`command failed: the working folder ${b.cwd}/gone does not exist`);
  expect(commandIn(result.detail).exitCode).toBe(-1);
});
