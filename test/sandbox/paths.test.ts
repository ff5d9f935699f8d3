import { expect, test } from "bun:test";
import { join } from "node:path";
import { foldersBetween, isWithin, replaceableLink } from "../../src/sandbox/paths.ts";
import { tempFolder } from "./temp-folder.ts";

test("a path is within a folder when it is the folder or below it, not when it only starts alike", () => {
  const paths = ["/a", "/a/b", "/ab", "/", "/b"];
  expect(paths.filter((path) => isWithin(path, "/a"))).toEqual(["/a", "/a/b"]);
  expect(paths.filter((path) => isWithin(path, "/"))).toEqual(paths);
});

test("the folders between two are listed from the outside in", () => {
  expect(foldersBetween("/a", "/a/b/c/d")).toEqual(["/a/b", "/a/b/c"]);
  expect(foldersBetween("/a", "/a/b")).toEqual([]);
  expect(foldersBetween("/", "/a/b")).toEqual(["/a"]);
});

test("a link that lies in a writable folder is found, wherever it is on the way", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws/real/inner");
  await temp.folder("outside");
  const middle = await temp.link("ws/link", "real");
  await temp.link("into", "ws/link");
  const ws = join(temp.path, "ws");
  expect(replaceableLink(join(middle, "inner"), [ws])).toBe(middle);
  expect(replaceableLink(join(temp.path, "into", "inner"), [ws])).toBe(middle);
  expect(replaceableLink(join(ws, "real", "inner"), [ws])).toBeUndefined();
});

test("a link that commands can't replace does no harm", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws");
  const link = await temp.link("link", "ws");
  expect(replaceableLink(join(link, "x"), [join(temp.path, "ws")])).toBeUndefined();
});

test("links in a circle count as replaceable instead of being followed forever", async () => {
  await using temp = await tempFolder();
  await temp.link("a", "b");
  const b = await temp.link("b", "a");
  expect([b, join(temp.path, "a")]).toContain(replaceableLink(b, []) ?? "");
});
