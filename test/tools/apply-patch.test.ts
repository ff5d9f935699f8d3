import { expect, test } from "bun:test";
import { chmod, lstat, mkdir, readFile, stat, symlink, truncate, unlink } from "node:fs/promises";
import type { FileChange } from "../../src/protocol/details.ts";
import { textOf } from "../../src/protocol/items.ts";
import { applyPatch, preparePatch } from "../../src/tools/apply-patch.ts";
import { knowledge, noteSeen } from "../../src/tools/files/read-state.ts";
import { type Workbench, workbench } from "./files/workbench.ts";

const patchOf = (...lines: string[]) => ({ patch: `*** Begin Patch\n${lines.join("\n")}\n*** End Patch` });
const modeOf = async (bench: Workbench, name: string) =>
  ((await stat(bench.path(name))).mode & 0o777).toString(8);

test("one patch adds, updates, moves and deletes, and reports it in this order", async () => {
  await using bench = await workbench({ "u.txt": "one\ntwo\n", "del.txt": "bye\n", "mv.txt": "m1\nm2\n" });
  const result = await bench.call(
    applyPatch,
    patchOf(
      "*** Delete File: del.txt",
      "*** Update File: mv.txt\n*** Move to: d/moved.txt\n@@\n m1\n-m2\n+M2",
      "*** Update File: ./u.txt\n@@\n-two\n+TWO",
      "*** Add File: d/e/new.txt\n+n1",
      "*** Add File: empty.txt",
    ),
  );
  expect(textOf(result.content)).toMatch(
    /^Exit code: 0\nWall time: \d+(\.\d)? seconds\nOutput:\nSuccess\. Updated the following files:\nA d\/e\/new\.txt\nA empty\.txt\nM d\/moved\.txt\nM \.\/u\.txt\nD del\.txt$/,
  );
  expect(await bench.files()).toEqual({
    "d/e/new.txt": "n1\n",
    "d/moved.txt": "m1\nM2\n",
    "empty.txt": "",
    "u.txt": "one\nTWO\n",
  });
  expect(result).toMatchObject({ ok: true, fields: { exitCode: 0 } });
});

test("what people see is sorted by path, with absolute paths and unified diffs", async () => {
  await using bench = await workbench({ "b.txt": "1\n2\n3\n4\n5\n", "c.txt": "gone\n" });
  const { shown, subject } = await bench.ready(
    applyPatch,
    patchOf(
      "*** Delete File: c.txt",
      "*** Update File: b.txt\n*** Move to: z/b.txt\n@@\n-5\n+five",
      "*** Add File: a.txt\n+new",
    ),
  );
  const changes: FileChange[] = [
    { path: bench.path("a.txt"), kind: "add", diff: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+new\n" },
    {
      path: bench.path("b.txt"),
      kind: "update",
      movedTo: bench.path("z/b.txt"),
      diff: "--- a/b.txt\n+++ b/z/b.txt\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n",
    },
    {
      path: bench.path("c.txt"),
      kind: "delete",
      diff: "--- a/c.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n",
    },
  ];
  expect(shown).toEqual({ kind: "files", changes });
  expect(subject).toEqual({ kind: "patch", changes });
});

const refusals: readonly [title: string, patch: string, text: string][] = [
  [
    "text that is not a patch",
    "garbage",
    "apply_patch verification failed: invalid patch: The first line of the patch must be '*** Begin Patch'",
  ],
  [
    "an unknown header",
    "*** Begin Patch\n*** Frobnicate: x\n*** End Patch",
    "apply_patch verification failed: invalid hunk at line 2, '*** Frobnicate: x' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
  ],
  ["an empty patch", "*** Begin Patch\n*** End Patch", "patch rejected: empty patch"],
  [
    "lines that are not in the file",
    patchOf("*** Add File: first.txt\n+1", "*** Update File: u.txt\n@@\n-not there\n+x").patch,
    "apply_patch verification failed: Failed to find expected lines in {cwd}/u.txt:\nnot there",
  ],
  [
    "a missing file to update",
    patchOf("*** Update File: missing.txt\n@@\n-a\n+b").patch,
    "apply_patch verification failed: Failed to read file to update {cwd}/missing.txt: No such file or directory (os error 2)",
  ],
  [
    "a missing file to delete",
    patchOf("*** Delete File: missing.txt").patch,
    "apply_patch verification failed: Failed to read {cwd}/missing.txt: No such file or directory (os error 2)",
  ],
  [
    "a folder to delete",
    patchOf("*** Delete File: dir").patch,
    "apply_patch verification failed: Failed to read {cwd}/dir: Is a directory (os error 21)",
  ],
  [
    "a file below a file",
    patchOf("*** Add File: u.txt/x\n+1").patch,
    "apply_patch verification failed: Failed to write file {cwd}/u.txt/x: {cwd}/u.txt is not a folder",
  ],
  [
    "a move onto a folder",
    patchOf("*** Update File: u.txt\n*** Move to: dir\n@@\n-one\n+1").patch,
    "apply_patch verification failed: Failed to write file {cwd}/dir: Is a directory (os error 21)",
  ],
  [
    "a file that is not UTF-8",
    patchOf("*** Update File: latin.txt\n@@\n-x\n+y").patch,
    "apply_patch verification failed: Failed to read file to update {cwd}/latin.txt: not UTF-8 text (invalid byte 0xE9 at offset 2), so it is left untouched",
  ],
];
for (const [title, patch, text] of refusals)
  test(`${title}: the whole patch is refused and nothing changes`, async () => {
    const latin = Buffer.from("x\n\xe9\n", "latin1");
    await using bench = await workbench({ "u.txt": "one\n", "dir/x": "1\n", "latin.txt": latin });
    const before = await bench.files();
    const prepared = await applyPatch.prepare({ patch }, bench.ctx);
    expect(prepared).toEqual({
      refused: {
        ok: false,
        content: [{ type: "input_text", text: text.replaceAll("{cwd}", bench.cwd) }],
        detail: { kind: "none" },
      },
    });
    expect(await bench.files()).toEqual(before);
    expect(await readFile(bench.path("latin.txt"))).toEqual(latin);
  });

test("two parts of a patch for one file build on each other", async () => {
  await using bench = await workbench({ "f.txt": "a\nb\n", "g.txt": "g\n" });
  const call = await bench.ready(
    applyPatch,
    patchOf(
      "*** Update File: f.txt\n@@\n-a\n+A",
      "*** Update File: f.txt\n@@\n A\n-b\n+B",
      "*** Add File: n.txt\n+1",
      "*** Update File: n.txt\n@@\n-1\n+2",
      "*** Delete File: g.txt",
      "*** Add File: g.txt\n+G",
    ),
  );
  expect(await call.run(bench.ctx)).toMatchObject({ ok: true });
  expect(await bench.files()).toEqual({ "f.txt": "A\nB\n", "g.txt": "G\n", "n.txt": "2\n" });
  expect(call.shown.kind === "files" && call.shown.changes.map(({ path, kind }) => [path, kind])).toEqual([
    [bench.path("f.txt"), "update"],
    [bench.path("g.txt"), "add"],
    [bench.path("n.txt"), "add"],
  ]);
});

test("a file that is added and deleted by one patch is not a change", async () => {
  await using bench = await workbench();
  const call = await bench.ready(applyPatch, patchOf("*** Add File: n\n+1", "*** Delete File: n"));
  expect(call.shown).toEqual({ kind: "files", changes: [] });
  await call.run(bench.ctx);
  expect(await bench.files()).toEqual({});
});

test("a file that is moved and changed again is one change", async () => {
  await using bench = await workbench({ "a.txt": "1\n2\n" });
  const call = await bench.ready(
    applyPatch,
    patchOf(
      "*** Update File: a.txt\n*** Move to: b.txt\n@@\n-1\n+one",
      "*** Update File: b.txt\n@@\n-2\n+two",
    ),
  );
  await call.run(bench.ctx);
  expect(await bench.files()).toEqual({ "b.txt": "one\ntwo\n" });
  expect(
    call.shown.kind === "files" && call.shown.changes.map(({ path, movedTo }) => [path, movedTo]),
  ).toEqual([[bench.path("a.txt"), bench.path("b.txt")]]);
});

test("adding a file that exists replaces it", async () => {
  await using bench = await workbench({ "f.txt": "old\n" });
  const call = await bench.ready(applyPatch, patchOf("*** Add File: f.txt\n+new"));
  expect(call.shown).toMatchObject({ kind: "files", changes: [{ kind: "add" }] });
  await call.run(bench.ctx);
  expect(await bench.files()).toEqual({ "f.txt": "new\n" });
});

test("a move onto the same path keeps the file", async () => {
  await using bench = await workbench({ "f.txt": "a\nb\n" });
  await bench.call(applyPatch, patchOf("*** Update File: f.txt\n*** Move to: ./f.txt\n@@\n-a\n+A"));
  expect(await bench.files()).toEqual({ "f.txt": "A\nb\n" });
});

test("mode bits survive an update and a move", async () => {
  await using bench = await workbench({ "s.sh": "a\n", "t.sh": "t\n" });
  for (const name of ["s.sh", "t.sh"]) await chmod(bench.path(name), 0o751);
  await bench.call(
    applyPatch,
    patchOf("*** Update File: s.sh\n@@\n-a\n+b", "*** Update File: t.sh\n*** Move to: u.sh\n@@\n-t\n+u"),
  );
  expect([await modeOf(bench, "s.sh"), await modeOf(bench, "u.sh")]).toEqual(["751", "751"]);
});

test("an update through a link changes the target and keeps the link; policy sees both paths", async () => {
  await using bench = await workbench({ "real/f.txt": "a\n" });
  await symlink("real/f.txt", bench.path("ln.txt"));
  const call = await bench.ready(applyPatch, patchOf("*** Update File: ln.txt\n@@\n-a\n+A"));
  const both = [bench.path("ln.txt"), bench.path("real/f.txt")];
  expect(call.access).toEqual({ reads: both, writes: both });
  await call.run(bench.ctx);
  expect(await bench.files()).toEqual({ "ln.txt": "-> real/f.txt", "real/f.txt": "A\n" });
});

test("deleting a link leaves its target alone", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  await symlink("f.txt", bench.path("ln.txt"));
  const call = await bench.ready(applyPatch, patchOf("*** Delete File: ln.txt"));
  expect(call.access.writes).toEqual([bench.path("ln.txt")]);
  await call.run(bench.ctx);
  expect(await bench.files()).toEqual({ "f.txt": "a\n" });
});

test("a move onto a link that leads back to the file replaces the link", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  await symlink("f.txt", bench.path("ln.txt"));
  await bench.call(applyPatch, patchOf("*** Update File: f.txt\n*** Move to: ln.txt\n@@\n-a\n+A"));
  expect(await bench.files()).toEqual({ "ln.txt": "A\n" });
});

test("policy sees where a folder link leads, also for a file that does not exist yet", async () => {
  await using bench = await workbench();
  await using outside = await workbench();
  await symlink(outside.cwd, bench.path("out"));
  await symlink(outside.path("not-there"), bench.path("dangling"));
  const call = await bench.ready(
    applyPatch,
    patchOf("*** Add File: out/a/n.txt\n+1", "*** Add File: dangling\n+2"),
  );
  expect(call.access.writes).toEqual([
    outside.path("a/n.txt"),
    bench.path("dangling"),
    outside.path("not-there"),
  ]);
});

test("paths are relative to the working folder of the call", async () => {
  await using bench = await workbench({ "sub/f.txt": "a\n" });
  await bench.call(applyPatch, { ...patchOf("*** Update File: f.txt\n@@\n-a\n+A"), workdir: "sub" });
  const prepared = await preparePatch(
    patchOf("*** Add File: ../n.txt\n+1").patch,
    bench.path("sub"),
    bench.ctx,
  );
  if ("ready" in prepared) await prepared.ready.run(bench.ctx);
  expect(await bench.files()).toEqual({ "n.txt": "1\n", "sub/f.txt": "A\n" });
});

test("a call that was prepared before another one still applies to what that one left", async () => {
  await using bench = await workbench({ "f.txt": "a\nb\n" });
  const first = await bench.ready(applyPatch, patchOf("*** Update File: f.txt\n@@\n-a\n+A"));
  const second = await bench.ready(applyPatch, patchOf("*** Update File: f.txt\n@@\n-b\n+B"));
  await first.run(bench.ctx);
  await second.run(bench.ctx);
  expect(await bench.files()).toEqual({ "f.txt": "A\nB\n" });
});

test("nothing is written when the file no longer fits", async () => {
  await using bench = await workbench({ "f.txt": "a\n", "g.txt": "b\n" });
  const call = await bench.ready(
    applyPatch,
    patchOf("*** Update File: f.txt\n@@\n-a\n+A", "*** Update File: g.txt\n@@\n-b\n+B"),
  );
  await bench.put({ "g.txt": "changed\n" });
  const result = await call.run(bench.ctx);
  expect([result.ok, textOf(result.content)]).toEqual([
    false,
    `apply_patch failed: Failed to find expected lines in ${bench.path("g.txt")}:\nb`,
  ]);
  expect(await bench.files()).toEqual({ "f.txt": "a\n", "g.txt": "changed\n" });
});

test("a link that was put in the way after the check is not followed", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  await using outside = await workbench({ "secret.txt": "a\n" });
  const call = await bench.ready(applyPatch, patchOf("*** Update File: f.txt\n@@\n-a\n+A"));
  await unlink(bench.path("f.txt"));
  await symlink(outside.path("secret.txt"), bench.path("f.txt"));
  const result = await call.run(bench.ctx);
  expect([result.ok, textOf(result.content)]).toEqual([
    false,
    `apply_patch failed: ${outside.path("secret.txt")} changed while the patch was being checked`,
  ]);
  expect(await outside.files()).toEqual({ "secret.txt": "a\n" });
});

test("a file that appeared after the check is not overwritten by an add", async () => {
  await using bench = await workbench();
  const call = await bench.ready(applyPatch, patchOf("*** Add File: n.txt\n+mine"));
  await bench.put({ "n.txt": "theirs\n" });
  expect(await call.run(bench.ctx)).toMatchObject({ ok: false });
  expect(await bench.files()).toEqual({ "n.txt": "theirs\n" });
});

test("a path that would have to be a file and a folder is refused", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  const call = await bench
    .ready(
      applyPatch,
      patchOf("*** Update File: f.txt\n@@\n-a\n+A", "*** Add File: x\n+1", "*** Add File: x/y\n+2"),
    )
    .catch((error: Error) => error.message);
  expect(call).toBe(
    `refused: apply_patch verification failed: Failed to write file ${bench.path("x/y")}: ${bench.path("x")} is a file`,
  );
});

test("a model that knew a file knows it after its own patch, and knows what it added", async () => {
  await using bench = await workbench({ "known.txt": "a\n", "unknown.txt": "a\n" });
  noteSeen(bench.ctx.memory, bench.path("known.txt"), "a\n");
  await bench.call(
    applyPatch,
    patchOf(
      "*** Update File: known.txt\n@@\n-a\n+A",
      "*** Update File: unknown.txt\n@@\n-a\n+A",
      "*** Add File: new.txt\n+A",
    ),
  );
  const states = ["known.txt", "unknown.txt", "new.txt"].map((name) =>
    knowledge(bench.ctx.memory, bench.path(name), "A\n"),
  );
  expect(states).toEqual(["current", "unread", "current"]);
});

test("a folder made on the way is a folder, and nothing temporary is left", async () => {
  await using bench = await workbench();
  await mkdir(bench.path("d"));
  await bench.call(applyPatch, patchOf("*** Add File: d/e/f.txt\n+1"));
  expect((await lstat(bench.path("d/e"))).isDirectory()).toBe(true);
  expect(Object.keys(await bench.files())).toEqual(["d/e/f.txt"]);
});

test("a file that would fill the memory can't be changed, but it can be deleted", async () => {
  await using bench = await workbench({ "f.txt": "one\n" });
  const size = 64 * 2 ** 20 + 1;
  await truncate(bench.path("f.txt"), size);
  expect(await bench.ask(applyPatch, patchOf("*** Update File: f.txt\n@@\n-one\n+two"))).toBe(
    `apply_patch verification failed: Failed to read file to update ${bench.path("f.txt")}: too large to change (${size} bytes); change it by a command`,
  );
  expect((await bench.call(applyPatch, patchOf("*** Delete File: f.txt"))).ok).toBe(true);
  expect(await bench.files()).toEqual({});
});
