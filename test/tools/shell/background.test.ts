import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { taskEnds } from "../../../src/tools/shell/task-ends.ts";
import { shellCommand } from "../../../src/tools/shell-command.ts";
import { taskOutput } from "../../../src/tools/task-output.ts";
import { taskStop } from "../../../src/tools/task-stop.ts";
import { type Bench, bench, gone, RecordedItem, textIn } from "./support.ts";

/** Starts a command in the background; its fields and the item that people see. */
async function start(b: Bench, command: string) {
  const item = new RecordedItem();
  const result = await b.call(shellCommand, { command, background: true }, { item });
  const { taskId = "", file = "", pid = 0 } = result.fields ?? {};
  return { item, open: result.open, taskId: String(taskId), file: String(file), pid: Number(pid) };
}

test("a command in the background writes into a file, and its end is noted", async () => {
  await using b = bench();
  const { item, open, taskId, file } = await start(
    b,
    "echo one; until [ -e go ]; do sleep 0.02; done; echo two",
  );
  expect(open).toBe(true);
  await item.saw("one");
  expect(b.ctx.memory.get(taskEnds)).toEqual([]);
  await Bun.write(`${b.cwd}/go`, "");
  const { status } = await item.closed.promise;
  expect(status).toBe("completed");
  expect(b.ctx.memory.get(taskEnds)).toMatchObject([{ taskId, file, exitCode: 0 }]);
  const result = await b.call(taskOutput, { taskId });
  expect(textIn(result)).toBe(`Task ${taskId}: ended with exit code 0\none\ntwo`);
});

test("its output is read in portions, with or without waiting", async () => {
  await using b = bench();
  const { item, taskId } = await start(b, "echo one; until [ -e go ]; do sleep 0.02; done; echo two");
  await item.saw("one");
  const now = await b.call(taskOutput, { taskId, block: false });
  expect(now.fields).toMatchObject({ case: "running", output: "one" });
  await Bun.write(`${b.cwd}/go`, "");
  const end = await b.call(taskOutput, { taskId, block: true });
  expect(end.fields).toMatchObject({ case: "ended", output: "two", exitCode: 0 });
});

test("it is stopped with its children", async () => {
  await using b = bench();
  const { item, taskId, pid } = await start(b, "echo up; sleep 60 & wait");
  await item.saw("up");
  expect(textIn(await b.call(taskStop, { taskId }))).toBe(`Task ${taskId} was stopped`);
  await gone(pid);
  expect(textIn(await b.call(taskStop, { taskId }))).toBe(`Task ${taskId} has already ended`);
});

test("an id that nobody has is answered with those that there are", async () => {
  await using b = bench();
  expect(textIn(await b.call(taskOutput, { taskId: "7" }))).toBe(
    "there is no task 7; nothing runs in the background",
  );
  const { taskId } = await start(b, "sleep 60");
  expect(textIn(await b.call(taskStop, { taskId: "7" }))).toBe(`there is no task 7; running are ${taskId}`);
});

test("long output goes into a file that the session's end removes", async () => {
  await using b = bench();
  const { ok, fields = {} } = await b.call(shellCommand, { command: "seq 1 9999", spillChars: 1000 });
  const file = String(fields["file"]);
  expect([ok, fields["case"], fields["sizeKb"]]).toEqual([true, "large", "47.7"]);
  expect((await Bun.file(file).text()).split("\n").slice(0, 3)).toEqual(["1", "2", "3"]);
  expect(String(fields["preview"])).toMatch(/^1\n2\n[\d\n]*\d$/);
  await b.endSession();
  expect(existsSync(file)).toBe(false);
});

test("output that is short enough stays where it is", async () => {
  await using b = bench();
  const { fields } = await b.call(shellCommand, { command: "echo; echo hi; echo", spillChars: 1000 });
  expect(fields).toMatchObject({ case: "ended", output: "\nhi\n\n", trimmed: "hi" });
  expect(fields).not.toHaveProperty("file");
});
