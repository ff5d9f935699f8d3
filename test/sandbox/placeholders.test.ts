import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Placeholders } from "../../src/sandbox/placeholders.ts";
import { tempFolder } from "./temp-folder.ts";

test("a missing folder exists, unwritable, until it is released, and nothing is left of the notes", async () => {
  await using temp = await tempFolder();
  const path = join(temp.path, ".codex");
  const notes = join(temp.path, "notes");
  const held = new Placeholders([notes]).hold([path]);
  expect({ kept: held.kept, occupied: held.occupied }).toEqual({ kept: [path], occupied: [] });
  expect((await stat(path)).mode & 0o222).toBe(0);
  expect(await readdir(notes)).toHaveLength(1);
  held.release();
  expect(existsSync(path)).toBe(false);
  expect(await readdir(notes)).toEqual([]);
});

test("two commands share a folder, and the last one removes it", async () => {
  await using temp = await tempFolder();
  const path = join(temp.path, ".codex");
  const placeholders = new Placeholders([join(temp.path, "notes")]);
  const first = placeholders.hold([path]);
  const second = placeholders.hold([path]);
  expect(second.kept).toEqual([path]);
  first.release();
  expect(existsSync(path)).toBe(true);
  second.release();
  expect(existsSync(path)).toBe(false);
});

test("a folder that another process holds is shared and left to it", async () => {
  await using temp = await tempFolder();
  const notes = join(temp.path, "notes");
  const path = join(temp.path, ".codex");
  await using other = await holdElsewhere(notes, path);
  const held = new Placeholders([notes]).hold([path]);
  expect(held.kept).toEqual([path]);
  held.release();
  expect(existsSync(path)).toBe(true);
  await other.end();
});

test("what a killed process left behind is removed at the next start", async () => {
  await using temp = await tempFolder();
  const notes = join(temp.path, "notes");
  const path = join(temp.path, ".codex");
  const other = await holdElsewhere(notes, path);
  await other.end();
  expect(existsSync(path)).toBe(true);
  const held = new Placeholders([notes]).hold([join(temp.path, ".aws")]);
  expect(existsSync(path)).toBe(false);
  held.release();
  expect(await readdir(notes)).toEqual([]);
});

test("a folder that somebody else made is theirs, however often it is asked for", async () => {
  await using temp = await tempFolder();
  const path = await temp.folder(".codex");
  await chmod(path, 0o555);
  const placeholders = new Placeholders([join(temp.path, "notes")]);
  const held = [placeholders.hold([path]), placeholders.hold([path])];
  expect(held.map(({ kept, occupied }) => ({ kept, occupied }))).toEqual([
    { kept: [], occupied: [path] },
    { kept: [], occupied: [path] },
  ]);
  for (const { release } of held) release();
  expect(existsSync(path)).toBe(true);
});

test("what was put into a held folder from outside stays", async () => {
  await using temp = await tempFolder();
  const path = join(temp.path, ".codex");
  const held = new Placeholders([join(temp.path, "notes")]).hold([path]);
  await chmod(path, 0o755);
  await writeFile(join(path, "config.toml"), "");
  held.release();
  expect(await readdir(path)).toEqual(["config.toml"]);
});

test("a folder that can't be made because there is nothing to make it in needs no protection", async () => {
  await using temp = await tempFolder();
  const held = new Placeholders([join(temp.path, "notes")]).hold([join(temp.path, "gone", ".codex")]);
  expect({ kept: held.kept, occupied: held.occupied }).toEqual({ kept: [], occupied: [] });
});

test("the notes are written anew when their folder was removed", async () => {
  await using temp = await tempFolder();
  const notes = join(temp.path, "notes");
  const placeholders = new Placeholders([notes]);
  placeholders.hold([join(temp.path, ".codex")]).release();
  await rm(notes, { recursive: true });
  const held = placeholders.hold([join(temp.path, ".codex")]);
  expect(await readdir(notes)).toHaveLength(1);
  held.release();
});

/** A process that holds a folder until it is killed. */
async function holdElsewhere(notes: string, path: string) {
  const code = `
    const { Placeholders } = await import(${JSON.stringify(join(import.meta.dir, "../../src/sandbox/placeholders.ts"))});
    new Placeholders([${JSON.stringify(notes)}]).hold([${JSON.stringify(path)}]);
    console.log("held");
    setInterval(() => {}, 60_000);
  `;
  await mkdir(notes, { recursive: true });
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "inherit" });
  for await (const chunk of child.stdout) if (new TextDecoder().decode(chunk).includes("held")) break;
  const end = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { end, [Symbol.asyncDispose]: end };
}

test("where the first place takes no notes, the next one does", async () => {
  await using temp = await tempFolder();
  const full = await temp.file("full");
  const spare = join(temp.path, "spare");
  const path = join(temp.path, ".codex");
  const held = new Placeholders([join(full, "notes"), spare]).hold([path]);
  expect([held.kept, (await readdir(spare)).length]).toEqual([[path], 1]);
  held.release();
  expect([existsSync(path), await readdir(spare)]).toEqual([false, []]);
});

test("without a place for notes nothing is made, and the reason is told", async () => {
  await using temp = await tempFolder();
  const notes = join(await temp.file("full"), "notes");
  const path = join(temp.path, ".codex");
  const placeholders = new Placeholders([notes]);
  expect(() => placeholders.hold([path])).toThrow(`the sandbox can't write its notes to ${notes} (ENOTDIR)`);
  expect(existsSync(path)).toBe(false);
});
