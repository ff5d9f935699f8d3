import { expect, test } from "bun:test";
import { chmod, stat, writeFile } from "node:fs/promises";
import type { Editor } from "../../../src/protocol/editor.ts";
import { applyPatch } from "../../../src/tools/apply-patch.ts";
import { edit } from "../../../src/tools/edit.ts";
import { asOpen, saveOpen } from "../../../src/tools/files/open-in-editor.ts";
import { read } from "../../../src/tools/read.ts";
import { write } from "../../../src/tools/write.ts";
import { workbench } from "./workbench.ts";

/** An editor with unsaved texts; it saves what it is told to write. */
function editorWith(unsaved: Record<string, string>) {
  const written: string[] = [];
  const editor: Editor = {
    read: async (path) => unsaved[path],
    async write(path, text) {
      written.push(path);
      delete unsaved[path];
      await writeFile(path, text);
      return true;
    },
  };
  return { editor, written };
}

test("reading shows what stands in the editor, saved or not", async () => {
  await using bench = await workbench({ "a.txt": "on disk\n" });
  const { editor } = editorWith({ [bench.path("a.txt")]: "not saved\n" });
  expect(await bench.ask(read, { path: "a.txt", numbers: "" }, { editor })).toBe("not saved");
});

test("an edit and a patch start from the unsaved text, and the editor writes the file", async () => {
  await using bench = await workbench({ "a.txt": "on disk\n", "b.txt": "old\n" });
  const unsaved = { [bench.path("a.txt")]: "not saved\n", [bench.path("b.txt")]: "new\nlines\n" };
  const { editor, written } = editorWith(unsaved);
  await bench.ask(edit, { path: "a.txt", oldString: "not saved", newString: "changed" }, { editor });
  const patch = "*** Begin Patch\n*** Update File: b.txt\n@@\n-lines\n+words\n*** End Patch";
  await bench.ask(applyPatch, { patch }, { editor });
  expect(await bench.files()).toEqual({ "a.txt": "changed\n", "b.txt": "new\nwords\n" });
  expect(written).toEqual([bench.path("a.txt"), bench.path("b.txt")]);
});

test("a new file goes through the editor, into folders that we make", async () => {
  await using bench = await workbench();
  const { editor, written } = editorWith({});
  await bench.ask(write, { path: "deep/er/new.txt", content: "hello\n" }, { editor });
  expect(await bench.text("deep/er/new.txt")).toBe("hello\n");
  expect(written).toEqual([bench.path("deep/er/new.txt")]);
});

test("an editor that refuses, does not save, or reports a write that never happened costs nothing", async () => {
  await using bench = await workbench({ "a.txt": "one\n" });
  const path = bench.path("a.txt");
  const answers = [false, true, false];
  for (const [n, answer] of answers.entries()) {
    await saveOpen(path, `text ${n}\n`, { editor: { write: async () => answer } });
    expect(await bench.text("a.txt")).toBe(`text ${n}\n`);
  }
});

test("what an editor's formatter makes of a text stays", async () => {
  await using bench = await workbench({ "a.txt": "one\n" });
  const write = async (path: string) => {
    await writeFile(path, "formatted\n");
    return true;
  };
  await saveOpen(bench.path("a.txt"), "not formatted\n", { editor: { write } });
  expect(await bench.text("a.txt")).toBe("formatted\n");
});

test("a file that changes its mode is written by us, and so is a place where a link is", async () => {
  await using bench = await workbench({ "a.sh": "one\n", "outside.txt": "safe\n" });
  await chmod(bench.path("a.sh"), 0o644);
  const { editor, written } = editorWith({});
  await saveOpen(bench.path("a.sh"), "two\n", { editor, mode: 0o755 });
  expect((await stat(bench.path("a.sh"))).mode & 0o777).toBe(0o755);
  expect(written).toEqual([]);
});

test("line ends and a byte order mark that the editor keeps apart are those of the file", async () => {
  const onDisk = Buffer.from("\uFEFFa\r\nb\r\n");
  const editor = (text: string): Editor => ({ read: async () => text });
  expect(await asOpen("/x", onDisk, editor("a\nb\n"))).toBe(onDisk);
  expect(Buffer.from(await asOpen("/x", onDisk, editor("a\nc\n"))).toString()).toBe("\uFEFFa\r\nc\r\n");
});

test("a file that is not text is not asked for", async () => {
  const asked: string[] = [];
  const editor: Editor = {
    async read(path) {
      asked.push(path);
      return "text";
    },
  };
  const bytes = Buffer.from([0x89, 0x00, 0xff]);
  expect(await asOpen("/x.png", bytes, editor)).toBe(bytes);
  expect(asked).toEqual([]);
});
