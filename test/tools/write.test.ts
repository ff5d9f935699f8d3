import { expect, test } from "bun:test";
import { chmod, readFile, stat, symlink } from "node:fs/promises";
import { read } from "../../src/tools/read.ts";
import { write } from "../../src/tools/write.ts";
import { workbench } from "./files/workbench.ts";

test("a new file is written with its folders", async () => {
  await using bench = await workbench();
  const call = await bench.ready(write, { path: "a/b/c.txt", content: "x\ny\n" });
  const path = bench.path("a/b/c.txt");
  const diff = "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n";
  expect([call.access, call.shown]).toEqual([
    { reads: [path], writes: [path] },
    { kind: "files", changes: [{ path, kind: "add", diff }] },
  ]);
  expect(await call.run(bench.ctx)).toEqual({
    ok: true,
    content: [{ type: "input_text", text: `Created ${path} (2 lines)` }],
    fields: { case: "created", path, lines: 2, bytes: 4, created: true },
    detail: { kind: "files", changes: [{ path, kind: "add", diff }] },
  });
  expect(await bench.files()).toEqual({ "a/b/c.txt": "x\ny\n" });
});

test("a file that was not read is not replaced, one that was is", async () => {
  await using bench = await workbench({ "f.txt": "old\n" });
  const input = { path: "f.txt", content: "new\n" };
  expect(await bench.ask(write, input)).toBe(
    `${bench.path("f.txt")} exists and has not been read yet; read it before replacing it`,
  );
  await bench.call(read, { path: "f.txt" });
  expect(await bench.ask(write, input)).toBe(`Replaced ${bench.path("f.txt")} (1 line)`);
  expect(await bench.ask(write, { path: "f.txt", content: "newer\n" })).toBe(
    `Replaced ${bench.path("f.txt")} (1 line)`,
  );
  expect(await bench.text("f.txt")).toBe("newer\n");
});

test("a file that changed since it was read is not replaced", async () => {
  await using bench = await workbench({ "f.txt": "old\n" });
  await bench.call(read, { path: "f.txt" });
  await bench.put({ "f.txt": "theirs\n" });
  expect(await bench.ask(write, { path: "f.txt", content: "new\n" })).toBe(
    `${bench.path("f.txt")} has changed since it was read; read it again before replacing it`,
  );
  expect(await bench.text("f.txt")).toBe("theirs\n");
});

test("a file that changes between check and write is not replaced", async () => {
  await using bench = await workbench({ "f.txt": "old\n" });
  await bench.call(read, { path: "f.txt" });
  const call = await bench.ready(write, { path: "f.txt", content: "new\n" });
  await bench.put({ "f.txt": "theirs\n" });
  expect(await call.run(bench.ctx)).toMatchObject({ ok: false });
  expect(await bench.text("f.txt")).toBe("theirs\n");
});

test("a harness may allow replacing unread files", async () => {
  await using bench = await workbench({ "f.txt": "old\n" });
  expect(await bench.call(write, { path: "f.txt", content: "new\n", requireRead: false })).toMatchObject({
    ok: true,
  });
  expect(await bench.text("f.txt")).toBe("new\n");
});

test("an empty file needs no reading, and text can be added to the end of any file", async () => {
  await using bench = await workbench({ "empty.txt": "", "f.txt": "a" });
  await bench.call(write, { path: "empty.txt", content: "x\n" });
  await bench.call(write, { path: "f.txt", content: "b\n", append: true });
  expect(await bench.files()).toEqual({ "empty.txt": "x\n", "f.txt": "a\nb\n" });
});

test("CRLF line ends, byte order mark and mode of a file are kept", async () => {
  await using bench = await workbench({ "f.txt": "\uFEFFa\r\nb\r\n" });
  await chmod(bench.path("f.txt"), 0o750);
  await bench.call(read, { path: "f.txt" });
  await bench.call(write, { path: "f.txt", content: "x\ny\n" });
  expect([await bench.text("f.txt"), (await stat(bench.path("f.txt"))).mode & 0o777]).toEqual([
    "\uFEFFx\r\ny\r\n",
    0o750,
  ]);
});

test("a link is written through", async () => {
  await using bench = await workbench({ "real.txt": "" });
  await symlink("real.txt", bench.path("ln.txt"));
  await bench.call(write, { path: "ln.txt", content: "x\n" });
  expect(await bench.files()).toEqual({ "ln.txt": "-> real.txt", "real.txt": "x\n" });
});

test("folders and files that are not UTF-8 are refused", async () => {
  const latin = Buffer.from("caf\xe9\n", "latin1");
  await using bench = await workbench({ "d/x": "1\n", "latin.txt": latin });
  expect(await bench.ask(write, { path: "d", content: "x" })).toBe(`${bench.path("d")} is a folder`);
  expect(await bench.ask(write, { path: "latin.txt", content: "x", requireRead: false })).toBe(
    `${bench.path("latin.txt")} is not UTF-8 text (invalid byte 0xE9 at offset 3), so it is left untouched`,
  );
  expect(await readFile(bench.path("latin.txt"))).toEqual(latin);
});
