import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { deniedPaths, escapePattern, isDenied } from "../../src/sandbox/deny.ts";
import { tempFolder } from "./temp-folder.ts";

test("files and folders are denied as named, and what does not exist is left out", async () => {
  await using temp = await tempFolder();
  const file = await temp.file("a.key");
  const folder = await temp.folder("secrets");
  expect(await deniedPaths([file, folder, join(temp.path, "missing")], [])).toEqual([
    { path: file, isFolder: false },
    { path: folder, isFolder: true },
  ]);
});

test("a pattern finds files at any depth, hidden ones too, and says where it looked", async () => {
  await using temp = await tempFolder();
  await temp.file("a.txt");
  const files = [await temp.file(".env"), await temp.file("sub/prod.env"), await temp.file(".hidden/x.env")];
  const found = await deniedPaths([join(temp.path, "**", "*.env")], []);
  expect(found.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
    files.sort().map((path) => ({ path, isFolder: false, fixed: temp.path })),
  );
});

test("a matching link denies what it leads to", async () => {
  await using temp = await tempFolder();
  const target = await temp.file("elsewhere/secret");
  await temp.link("ws/link.env", target);
  const ws = join(temp.path, "ws");
  expect(await deniedPaths([join(ws, "*.env")], [ws])).toEqual([
    { path: target, isFolder: false, fixed: ws },
  ]);
});

test("a path that a command could bend is refused", async () => {
  await using temp = await tempFolder();
  await temp.folder("ws/real");
  const link = await temp.link("ws/link", "real");
  const ws = join(temp.path, "ws");
  await expect(deniedPaths([join(link, "key")], [ws])).rejects.toThrow(
    `it goes through ${link}, a symbolic link that commands can replace`,
  );
  await expect(deniedPaths([join(link, "*.key")], [ws])).rejects.toThrow(link);
});

test("a pattern that starts at the root is refused", async () => {
  await expect(deniedPaths(["/**/*.env"], [])).rejects.toThrow("it would search the whole disk");
});

test("too many matches are refused instead of being denied in part", async () => {
  await using temp = await tempFolder();
  for (let i = 0; i <= 8192; i++) await temp.file(`${i}.env`);
  await expect(deniedPaths([join(temp.path, "*.env")], [])).rejects.toThrow(
    "it matches more than 8192 files",
  );
}, 120_000);

test.skipIf(process.getuid?.() === 0)(
  "a folder that can't be searched is denied as a whole (not for root, who can search every folder)",
  async () => {
    await using temp = await tempFolder();
    const closed = await temp.folder("closed");
    await chmod(closed, 0);
    const found = await deniedPaths([join(temp.path, "**", "*.env")], []);
    await chmod(closed, 0o700);
    expect(found).toEqual([{ path: closed, isFolder: true, fixed: temp.path }]);
  },
);

test("a name with brackets that exists is that name, and a folder's name never acts as a pattern", async () => {
  await using temp = await tempFolder();
  const page = await temp.file("[id]/page.env");
  expect(await deniedPaths([join(temp.path, "[id]")], [])).toEqual([
    { path: join(temp.path, "[id]"), isFolder: true },
  ]);
  const rule = join(escapePattern(join(temp.path, "[id]")), "*.env");
  expect(await deniedPaths([rule], [])).toEqual([
    { path: page, isFolder: false, fixed: join(temp.path, "[id]") },
  ]);
});

test("tools of our own can ask whether a path is denied", async () => {
  await using temp = await tempFolder();
  const secrets = await temp.folder("secrets");
  const deny = [secrets, join(temp.path, "**", "*.env")];
  const asked = ["secrets/key", "secrets", "a.env", "deep/.env", "x.env/inner", "a.txt", "secrets2"];
  const denied = asked.filter((name) => isDenied(join(temp.path, name), deny));
  expect(denied).toEqual(["secrets/key", "secrets", "a.env", "deep/.env", "x.env/inner"]);
});
