import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { branchOf } from "../../../src/frontends/tui/git-branch.ts";
import { tempHome } from "../../support/home.ts";

test("the branch of the repository around a folder is read, and of a commit its beginning", async () => {
  await using home = await tempHome();
  await mkdir(join(home.cwd, "src"));
  await home.write(".git/HEAD", "ref: refs/heads/topic/a\n");
  expect(branchOf(join(home.cwd, "src"))).toBe("topic/a");
  await home.write(".git/HEAD", "0123456789abcdef0123456789abcdef01234567\n");
  expect(branchOf(home.cwd)).toBe("01234567");
});

test("a linked worktree names its folder from the root or from where it is", async () => {
  await using home = await tempHome();
  await home.write("main/.git/worktrees/one/HEAD", "ref: refs/heads/one\n");
  const folder = join(home.cwd, "main/.git/worktrees/one");
  await home.write("one/.git", `gitdir: ${folder}\n`);
  await home.write("two/.git", "gitdir: ../main/.git/worktrees/one\n");
  expect(["one", "two"].map((name) => branchOf(join(home.cwd, name)))).toEqual(["one", "one"]);
});

test.skipIf(process.platform === "win32")("a pipe in the place of .git is not waited for", async () => {
  await using home = await tempHome();
  Bun.spawnSync(["mkfifo", join(home.cwd, ".git")]);
  expect(branchOf(home.cwd)).toBeUndefined();
});
