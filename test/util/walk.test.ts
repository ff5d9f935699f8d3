import { expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { type WalkOptions, walk } from "../../src/util/walk.ts";
import { workbench } from "../tools/files/workbench.ts";

async function names(root: string, options: WalkOptions = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const { relative, kind, ignored } of walk(root, options, new AbortController().signal))
    found.push(
      `${relative}${kind === "folder" ? "/" : kind === "link" ? "@" : ""}${ignored ? " (ignored)" : ""}`,
    );
  return found;
}

test("entries come in the order of their names, a folder's content right after it; links are not followed", async () => {
  await using bench = await workbench({ "b/2": "", "b/1": "", a: "", ".hidden": "", c: "" });
  await symlink("b", bench.path("d"));
  expect(await names(bench.cwd)).toEqual([".hidden", "a", "b/", "b/1", "b/2", "c", "d@"]);
});

test("what ignore files name is left out, the nearest file decides", async () => {
  await using bench = await workbench({
    ".gitignore": "*.log\n/dist/\n!keep.log\n",
    "a.log": "",
    "keep.log": "",
    "dist/x": "",
    "src/dist/y": "",
    "src/.gitignore": "!a.log\ntmp\n",
    "src/a.log": "",
    "src/tmp/z": "",
    "src/.ignore": "*.snap\n",
    "src/s.snap": "",
  });
  expect(await names(bench.cwd)).toEqual([
    ".gitignore",
    "keep.log",
    "src/",
    "src/.gitignore",
    "src/.ignore",
    "src/a.log",
    "src/dist/",
    "src/dist/y",
  ]);
});

test("rules above the root count up to the repository's top and not beyond", async () => {
  await using bench = await workbench({
    ".gitignore": "*.txt\n",
    "repo/.git/HEAD": "",
    "repo/.gitignore": "*.log\n",
    "repo/sub/a.log": "",
    "repo/sub/a.txt": "",
  });
  expect(await names(bench.path("repo/sub"))).toEqual(["a.txt"]);
});

test("a repository inside another one has only its own rules", async () => {
  await using bench = await workbench({ ".gitignore": "*.log\n", "inner/.git/HEAD": "", "inner/a.log": "" });
  expect(await names(bench.cwd)).toEqual([".gitignore", "inner/", "inner/a.log"]);
});

test("folders of tools are closed; ignored entries can be reported", async () => {
  await using bench = await workbench({
    ".git/HEAD": "",
    "node_modules/x/y": "",
    ".gitignore": "out\n",
    "out/a": "",
  });
  expect(await names(bench.cwd, { reportIgnored: true })).toEqual([
    ".git/ (ignored)",
    ".gitignore",
    "node_modules/ (ignored)",
    "out/ (ignored)",
  ]);
  expect(await names(bench.path("node_modules"))).toEqual(["x/", "x/y"]);
});

test("depth, number and single paths can be limited", async () => {
  await using bench = await workbench({ "a/b/c": "", d: "", e: "" });
  expect(await names(bench.cwd, { maxDepth: 2 })).toEqual(["a/", "a/b/", "d", "e"]);
  expect(await names(bench.cwd, { maxEntries: 2 })).toEqual(["a/", "d"]);
  expect(await names(bench.cwd, { skip: (path) => path.endsWith("/a") })).toEqual(["d", "e"]);
});

test("a walk that is not wanted any more ends", async () => {
  await using bench = await workbench({ a: "" });
  const walked = walk(bench.cwd, {}, AbortSignal.abort()).next();
  await expect(walked).rejects.toThrow();
});

test("a missing folder is an empty one", async () => {
  expect(await names("/does/not/exist")).toEqual([]);
});

test("rules at a pipe, behind a link to a device, or without measure are passed over", async () => {
  await using bench = await workbench({ a: "", "b/.ignore": "c\n".repeat(1 << 20), "b/c": "" });
  await Bun.$`mkfifo .gitignore`.cwd(bench.cwd);
  await symlink("/dev/zero", bench.path(".ignore"));
  expect(await names(bench.cwd)).toEqual([".gitignore", ".ignore@", "a", "b/", "b/.ignore", "b/c"]);
});
