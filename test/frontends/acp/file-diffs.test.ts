import { expect, test } from "bun:test";
import { join } from "node:path";
import { diffsOf, firstLineOf } from "../../../src/frontends/acp/file-diffs.ts";
import { tempHome } from "../../support/home.ts";

const HEAD = "--- a/f\n+++ b/f\n";

test("a new file has no old text", () => {
  const diff = "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+one\n+two\n";
  expect(diffsOf({ path: "/w/f", kind: "add", diff })).toEqual([
    { type: "diff", path: "/w/f", oldText: null, newText: "one\ntwo\n" },
  ]);
});

test("a changed file is shown whole, with every part of the change in its place", async () => {
  await using home = await tempHome();
  const path = await home.write("f", "a\nb\nc\nd\ne\n");
  const diff = `${HEAD}@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -4,2 +4,1 @@\n d\n-e\n`;
  expect(diffsOf({ path, kind: "update", diff })).toEqual([
    { type: "diff", path, oldText: "a\nb\nc\nd\ne\n", newText: "A\nb\nc\nd\n" },
  ]);
});

test("a missing line end at the end of the file stays missing", async () => {
  await using home = await tempHome();
  const path = await home.write("f", "a\nb");
  const diff = `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n`;
  expect(diffsOf({ path, kind: "update", diff })).toEqual([
    { type: "diff", path, oldText: "a\nb", newText: "a\nc" },
  ]);
});

test("a file that is not as the change has it is shown by the changed parts", async () => {
  await using home = await tempHome();
  const path = await home.write("f", "something else\n");
  const diff = `${HEAD}@@ -1,1 +1,1 @@\n-a\n+A\n`;
  expect(diffsOf({ path, kind: "update", diff })).toEqual([
    { type: "diff", path, oldText: "a\n", newText: "A\n" },
  ]);
});

test("a moved file is shown under its new name", async () => {
  await using home = await tempHome();
  const path = await home.write("f", "a\n");
  const movedTo = join(home.cwd, "g");
  const change = { path, kind: "update", movedTo, diff: `${HEAD}@@ -1,1 +1,1 @@\n-a\n+b\n` } as const;
  expect(diffsOf(change)).toEqual([{ type: "diff", path: movedTo, oldText: "a\n", newText: "b\n" }]);
});

test("the first line of a change is counted from one", () => {
  const diff = `${HEAD}@@ -3,0 +4,1 @@\n+x\n`;
  expect(firstLineOf({ path: "/w/f", kind: "update", diff })).toBe(4);
});
