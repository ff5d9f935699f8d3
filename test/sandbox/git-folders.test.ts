import { expect, test } from "bun:test";
import { join } from "node:path";
import { isBelowRepository, pointedFolders } from "../../src/sandbox/git-folders.ts";
import { tempFolder } from "./temp-folder.ts";

test("a linked worktree leads to its own git folder and to the repository it belongs to", async () => {
  await using temp = await tempFolder();
  const own = await temp.folder("main/.git/worktrees/wt");
  await temp.file("main/.git/worktrees/wt/commondir", "../..\n");
  const pointer = await temp.file("wt/.git", `gitdir: ${own}\n`);
  expect(pointedFolders(pointer)).toEqual([own, join(temp.path, "main", ".git")]);
});

test("a relative git folder starts at the pointer file", async () => {
  await using temp = await tempFolder();
  const pointer = await temp.file("repo/.git", "gitdir: ../elsewhere/git");
  expect(pointedFolders(pointer)).toEqual([join(temp.path, "elsewhere", "git")]);
});

test("a .git file that points nowhere leads to nothing", async () => {
  await using temp = await tempFolder();
  expect(pointedFolders(await temp.file(".git", "hello\n"))).toEqual([]);
});

test("a folder is below a repository at any depth, and the repository itself is not", async () => {
  await using temp = await tempFolder();
  await temp.folder("repo/.git");
  const deep = await temp.folder("repo/a/b");
  const alone = await temp.folder("alone");
  const repository = join(temp.path, "repo");
  expect([deep, repository, alone].map(isBelowRepository)).toEqual([true, false, false]);
});
