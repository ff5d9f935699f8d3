import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { nearestFolderWith, repositoryRoot } from "../../src/util/git.ts";
import { tempHome } from "../support/home.ts";

test("the repository around a folder is found from any depth, also where .git is a file", async () => {
  await using home = await tempHome();
  const head = await home.write("repo/.git/HEAD", "");
  const inner = await home.write("repo/a/b/file", "");
  const pointer = await home.write("linked/.git", "gitdir: elsewhere\n");
  const repository = dirname(dirname(head));
  expect([dirname(inner), repository, dirname(pointer)].map(repositoryRoot)).toEqual([
    repository,
    repository,
    dirname(pointer),
  ]);
});

test("a folder without such an entry anywhere above belongs to none", async () => {
  await using home = await tempHome();
  const file = await home.write("alone/file", "");
  expect(nearestFolderWith([".no-such-marker"], dirname(file))).toBeUndefined();
});
