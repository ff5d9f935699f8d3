import { expect, test } from "bun:test";
import { chmod, readdir, symlink } from "node:fs/promises";
import { commit } from "../../../src/tools/patch/commit.ts";
import { workbench } from "../files/workbench.ts";

test("when the disk fails in the middle the problem names what has been changed already", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  const text = "new\n";
  const { problem } = await commit([
    { path: bench.path("n.txt"), after: { text } },
    { path: bench.path("f.txt/below"), after: { text } },
    { path: bench.path("never.txt"), after: { text } },
  ]);
  expect(problem).toStartWith(`Failed to write file ${bench.path("f.txt/below")}: `);
  expect(problem).toEndWith(`\nAlready changed: ${bench.path("n.txt")}`);
  expect(await bench.files()).toEqual({ "f.txt": "a\n", "n.txt": "new\n" });
});

test("a folder that has become a link since the patch was checked leads nowhere else", async () => {
  await using bench = await workbench({ "outside/f.txt": "kept\n" });
  await symlink(bench.path("outside"), bench.path("d"));
  const old = { text: "old\n", mode: 0o644 };
  const problems = [];
  for (const change of [
    { path: bench.path("d/f.txt"), before: old },
    { path: bench.path("d/f.txt"), before: old, after: { text: "new\n" } },
    { path: bench.path("d/new.txt"), after: { text: "new\n" } },
    { path: bench.path("d/e/new.txt"), after: { text: "new\n" } },
  ])
    problems.push((await commit([change])).problem);
  expect(problems).not.toContain(undefined);
  expect(await readdir(bench.path("outside"))).toEqual(["f.txt"]);
  expect(await Bun.file(bench.path("outside/f.txt")).text()).toBe("kept\n");
});

test("missing folders are made for a new file, also where the folder above can't be listed", async () => {
  await using bench = await workbench({ "d/f.txt": "a\n" });
  await chmod(bench.path("d"), 0o300);
  const { problem } = await commit([{ path: bench.path("d/e/f/new.txt"), after: { text: "new\n" } }]);
  await chmod(bench.path("d"), 0o755);
  expect([problem, await bench.files()]).toEqual([undefined, { "d/e/f/new.txt": "new\n", "d/f.txt": "a\n" }]);
});

const asRoot = process.getuid?.() === 0;
if (asRoot) process.stderr.write("skipped: root may write everywhere, so nothing is refused to it\n");

test.skipIf(asRoot)("a file that may not be written stops the patch before anything is written", async () => {
  await using bench = await workbench({ "f.txt": "a\n", "g.txt": "b\n" });
  await chmod(bench.path("g.txt"), 0o444);
  const old = { text: "a\n", mode: 0o644 };
  const { problem } = await commit([
    { path: bench.path("f.txt"), before: old, after: { text: "A\n" } },
    { path: bench.path("g.txt"), before: old, after: { text: "B\n" } },
  ]);
  expect(problem).toBe(`Failed to write file ${bench.path("g.txt")}: Permission denied (os error 13)`);
  expect(await bench.files()).toEqual({ "f.txt": "a\n", "g.txt": "b\n" });
});

test.skipIf(asRoot)("a file in a folder that takes no new file is rewritten in place", async () => {
  await using bench = await workbench({ "d/f.txt": "a\n" });
  await chmod(bench.path("d"), 0o555);
  const { problem } = await commit([
    {
      path: bench.path("d/f.txt"),
      before: { text: "a\n", mode: 0o644 },
      after: { text: "A\n", mode: 0o644 },
    },
  ]);
  await chmod(bench.path("d"), 0o755);
  expect([problem, await bench.files()]).toEqual([undefined, { "d/f.txt": "A\n" }]);
});
