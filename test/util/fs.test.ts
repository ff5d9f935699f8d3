import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AppendFile,
  appendLine,
  codeOf,
  makePrivateFolder,
  readAtMost,
  readOrdinaryTextNow,
  requireOrdinaryText,
  writeFileAtomic,
} from "../../src/util/fs.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fs-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function underUmask<T>(mask: number, work: () => T): T {
  const old = process.umask(mask);
  try {
    return work();
  } finally {
    process.umask(old);
  }
}

test("a private folder and its new parents are for the owner only, whatever the umask", () => {
  for (const mask of [0o000, 0o022, 0o777]) {
    const top = join(folder, mask.toString(8));
    underUmask(mask, () => makePrivateFolder(join(top, "a/b")));
    expect([top, join(top, "a"), join(top, "a/b")].map(modeOf)).toEqual(["700", "700", "700"]);
  }
});

test("a folder that exists keeps its mode", () => {
  mkdirSync(join(folder, "open"));
  chmodSync(join(folder, "open"), 0o755);
  makePrivateFolder(join(folder, "open"));
  expect(modeOf(join(folder, "open"))).toBe("755");
});

test("a file in the way of a folder is an error", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makePrivateFolder(join(folder, "file"))).toThrow("EEXIST");
  expect(() => makePrivateFolder(join(folder, "file/sub"))).toThrow("ENOTDIR");
});

test("a replaced file keeps its mode, and a new one is private", async () => {
  writeFileSync(join(folder, "old"), "1");
  chmodSync(join(folder, "old"), 0o640);
  await writeFileAtomic(join(folder, "old"), "2");
  await writeFileAtomic(join(folder, "new"), Buffer.from("3"));
  await writeFileAtomic(join(folder, "asked"), "4", { mode: 0o755 });
  expect(
    ["old", "new", "asked"].map((name) => [
      readFileSync(join(folder, name), "utf8"),
      modeOf(join(folder, name)),
    ]),
  ).toEqual([
    ["2", "640"],
    ["3", "600"],
    ["4", "755"],
  ]);
});

test("replacing a link's file keeps the link", async () => {
  writeFileSync(join(folder, "real"), "1");
  symlinkSync("real", join(folder, "link"));
  await writeFileAtomic(join(folder, "link"), "2");
  expect(readFileSync(join(folder, "real"), "utf8")).toBe("2");
  expect(readdirSync(folder).sort()).toEqual(["link", "real"]);
});

test("a failed replacement leaves nothing behind", async () => {
  mkdirSync(join(folder, "target"));
  expect(await writeFileAtomic(join(folder, "target"), "x").then(String, codeOf)).toMatch(
    /EISDIR|EPERM|ENOTEMPTY|EEXIST/,
  );
  expect(readdirSync(folder)).toEqual(["target"]);
});

test("an appended line starts on a new line when the last one was cut", () => {
  const path = join(folder, "log");
  writeFileSync(path, "one\ntw");
  appendLine(path, "three");
  appendLine(path, "four");
  expect(readFileSync(path, "utf8")).toBe("one\ntw\nthree\nfour\n");
});

test("an append-only file is private under any umask and becomes private when it was not", () => {
  const old = join(folder, "old");
  writeFileSync(old, "");
  chmodSync(old, 0o644);
  appendLine(old, "x");
  underUmask(0o000, () => appendLine(join(folder, "new"), "x"));
  underUmask(0o777, () => appendLine(join(folder, "odd"), "x"));
  expect([old, join(folder, "new"), join(folder, "odd")].map(modeOf)).toEqual(["600", "600", "600"]);
});

test("lines appended in one piece and one by one end up the same", async () => {
  const path = join(folder, "log");
  const file = new AppendFile(path);
  file.append("a\nb\n");
  file.append("ü\n");
  await file.sync();
  file.close();
  expect(readFileSync(path, "utf8")).toBe("a\nb\nü\n");
});

test("an ordinary file is read up to a size, and anything else is refused in words", async () => {
  const path = join(folder, "note");
  writeFileSync(path, "x".repeat(2 ** 20));
  const refusals = [
    requireOrdinaryText(folder, 10),
    requireOrdinaryText(path, 2 ** 20 - 1),
    requireOrdinaryText("/dev/zero", 10),
  ].map((read) => read.catch((cause: unknown) => (cause instanceof Error ? cause.message : cause)));
  expect(await Promise.all(refusals)).toEqual([
    "it is a folder",
    expect.stringMatching(/^it is larger than /),
    "it is not an ordinary file",
  ]);
  expect((await requireOrdinaryText(path, 2 ** 20)).length).toBe(2 ** 20);
  expect([readOrdinaryTextNow(path, 2 ** 20)?.length, readOrdinaryTextNow("/dev/zero", 10)]).toEqual([
    2 ** 20,
    undefined,
  ]);
});

test("what a person names is read to its end, a pipe too, unless there is too much of it", async () => {
  const path = join(folder, "note");
  writeFileSync(path, "x".repeat(200_000));
  expect((await readAtMost(path, 200_000)).length).toBe(200_000);
  expect(readAtMost(path, 199_999)).rejects.toThrow("it is larger than");
  const pipe = join(folder, "pipe");
  Bun.spawnSync(["mkfifo", pipe]);
  const writer = Bun.spawn(["sh", "-c", 'printf hello > "$1"', "sh", pipe]);
  expect((await readAtMost(pipe, 10)).toString()).toBe("hello");
  expect(await writer.exited).toBe(0);
});
