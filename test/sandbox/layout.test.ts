import { expect, test } from "bun:test";
import { join, relative } from "node:path";
import { layOut, type RestrictedPolicy } from "../../src/sandbox/layout.ts";
import { type TempFolder, tempFolder } from "./temp-folder.ts";

test("a protected name is kept where it exists and stays empty where it does not", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws/.git");
  expect(await places(temp, { write: ["ws"], protect: ["ws/.git", "ws/.codex"] })).toEqual([
    "write ws",
    "empty ws/.codex",
    "keep ws/.git",
  ]);
});

test("a missing .git is left alone below a repository, so that git finds the one above", async () => {
  await using temp = await tempFolder();
  await temp.folder(".git");
  await temp.folder("ws");
  expect(await places(temp, { write: ["ws"], protect: ["ws/.git", "ws/.aws"] })).toEqual([
    "write ws",
    "empty ws/.aws",
  ]);
});

test("a .git file is kept together with what it points to, as far as that is writable", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws/.git/worktrees/wt");
  await temp.file("ws/.git/worktrees/wt/commondir", "../..");
  await temp.file("wt/.git", `gitdir: ${join(temp.path, "ws/.git/worktrees/wt")}\n`);
  expect(await places(temp, { write: ["wt"], protect: ["wt/.git"] })).toEqual(["write wt", "keep wt/.git"]);
  expect(await places(temp, { write: ["ws", "wt"], protect: ["wt/.git"] })).toEqual([
    "write ws",
    "keep ws/.git",
    "write wt",
    "keep wt/.git",
  ]);
});

test("a git folder elsewhere in the workspace is kept, and the folders on the way stay in place", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws/store/git/hooks");
  await temp.file("ws/.git", "gitdir: store/git\n");
  expect(await places(temp, { write: ["ws"], protect: ["ws/.git"] })).toEqual([
    "write ws",
    "keep ws/.git",
    "write ws/store",
    "keep ws/store/git",
  ]);
});

test("folders that do not exist are skipped, with what is protected in them", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws");
  expect(await places(temp, { write: ["ws", "gone"], protect: ["gone/.git"] })).toEqual(["write ws"]);
});

test("a protected link is refused, because a command could put a folder in its place", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws/real");
  const link = await temp.link("ws/.agents", "real");
  await expect(places(temp, { write: ["ws"], protect: ["ws/.agents"] })).rejects.toThrow(
    `the sandbox can't keep ${link} read-only: ${link} is a symbolic link that commands can replace`,
  );
});

test("a writable folder that is reached through a replaceable link is refused", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws");
  await temp.folder("outside");
  const link = await temp.link("ws/inner", "../outside");
  await expect(places(temp, { write: ["ws", "ws/inner"] })).rejects.toThrow(`${link} is a symbolic link`);
});

test("a workspace inside a temporary folder keeps its place there", async () => {
  await using temp = await tempFolder();
  await temp.folder("tmp/a/b/ws/.git");
  expect(await places(temp, { write: ["tmp/a/b/ws", "tmp"], protect: ["tmp/a/b/ws/.git"] })).toEqual([
    "write tmp",
    "write tmp/a",
    "write tmp/a/b",
    "write tmp/a/b/ws",
    "keep tmp/a/b/ws/.git",
  ]);
});

test("a writable folder in a denied or protected one is open again", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws/a/b");
  await temp.folder("ws/.git/tmp");
  const policy = {
    write: ["ws", "ws/a/b", "ws/.git/tmp"],
    protect: ["ws/.git"],
    deny: ["ws/a"],
  };
  expect(await places(temp, policy)).toEqual([
    "write ws",
    "keep ws/.git",
    "write ws/.git/tmp",
    "deny_folder entered ws/a",
    "write ws/a/b",
  ]);
});

test("what a denied folder holds needs no rule of its own", async () => {
  await using temp = await tempFolder();
  await temp.file("ws/secrets/a.env");
  await temp.file("ws/b.env");
  expect(await places(temp, { write: ["ws"], deny: ["ws/secrets", "ws/**/*.env"] })).toEqual([
    "write ws",
    "deny_file ws/b.env",
    "deny_folder ws/secrets",
  ]);
});

test("the folder of a denied file can't be moved away, and a pattern's own matches need not stay", async () => {
  await using temp = await tempFolder();
  await temp.file("ws/conf/deep/key");
  await temp.file("ws/app/x/prod.env");
  expect(await places(temp, { write: ["ws"], deny: ["ws/conf/deep/key", "ws/app/**/*.env"] })).toEqual([
    "write ws",
    "write ws/app",
    "deny_file ws/app/x/prod.env",
    "write ws/conf",
    "write ws/conf/deep",
    "deny_file ws/conf/deep/key",
  ]);
});

test("deny beats write at the same path", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws");
  expect(await places(temp, { write: ["ws"], deny: ["ws"] })).toEqual(["deny_folder ws"]);
});

test("a restricted view lists what can be read", async () => {
  await using temp = await tempFolder();
  await temp.folder("lib");
  await temp.folder("ws/.git");
  expect(await places(temp, { read: ["lib"], write: ["ws"], protect: ["ws/.git"] })).toEqual([
    "keep lib",
    "write ws",
    "keep ws/.git",
  ]);
});

type Rules = { read?: string[]; write?: string[]; protect?: string[]; deny?: string[] };

/** The layout as lines, with paths below the temporary folder. */
async function places(temp: TempFolder, { read, write, protect, deny }: Rules): Promise<string[]> {
  const absolute = (names: string[] = []) => names.map((name) => join(temp.path, name));
  const policy: RestrictedPolicy = {
    mode: "restricted",
    read: read === undefined ? "everything" : absolute(read),
    write: absolute(write),
    protect: absolute(protect),
    deny: absolute(deny),
    network: false,
  };
  const layout = await layOut(policy);
  expect(layout.readsEverything).toBe(read === undefined);
  return layout.places.map((place) => {
    const entered = place.is === "deny_folder" && place.entered ? " entered" : "";
    return `${place.is}${entered} ${relative(temp.path, place.path)}`;
  });
}
