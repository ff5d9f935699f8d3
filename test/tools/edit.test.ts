import { expect, test } from "bun:test";
import { readFile, truncate } from "node:fs/promises";
import { edit } from "../../src/tools/edit.ts";
import { read } from "../../src/tools/read.ts";
import { workbench } from "./files/workbench.ts";

const change = (oldString: string, newString: string, more: object = {}) => ({
  path: "f.txt",
  oldString,
  newString,
  ...more,
});

test("a text that stands in the file once is replaced, and the answer shows the place", async () => {
  await using bench = await workbench({ "f.txt": "1\n2\n3\n4\n5\n6\n7\n8\n" });
  const result = await bench.call(edit, change("4\n5", "four\nfive"));
  const path = bench.path("f.txt");
  const snippet = "1\t1\n2\t2\n3\t3\n4\tfour\n5\tfive\n6\t6\n7\t7\n8\t8";
  const diff = "--- a/f.txt\n+++ b/f.txt\n@@ -1,8 +1,8 @@\n 1\n 2\n 3\n-4\n-5\n+four\n+five\n 6\n 7\n 8\n";
  expect(result).toEqual({
    ok: true,
    content: [{ type: "input_text", text: `Edited ${path} (1 replacement, line 4):\n${snippet}` }],
    fields: {
      case: "replaced",
      path,
      edits: 1,
      replacements: 1,
      line: 4,
      snippet,
      region: "1\n2\n3\nfour\nfive\n6\n7\n8",
      from: 1,
      to: 8,
      total: 9,
    },
    detail: { kind: "files", changes: [{ path, kind: "update", diff }] },
  });
  expect(await bench.text("f.txt")).toBe("1\n2\n3\nfour\nfive\n6\n7\n8\n");
});

test("a text that stands there several times is refused with the count, or replaced everywhere", async () => {
  await using bench = await workbench({ "f.txt": "x\nfoo\nfoo\n" });
  expect(await bench.ask(edit, change("foo", "bar"))).toBe(
    `the text to replace stands 2 times in ${bench.path("f.txt")} (lines 2, 3); add lines around it until it is unique, or replace all of them`,
  );
  expect(await bench.text("f.txt")).toBe("x\nfoo\nfoo\n");
  expect(await bench.ask(edit, change("foo", "bar", { replaceAll: true }))).toStartWith(
    `Edited ${bench.path("f.txt")} (2 replacements, lines 2, 3):\n`,
  );
  expect(await bench.text("f.txt")).toBe("x\nbar\nbar\n");
});

test("line ends are those of the file", async () => {
  await using bench = await workbench({ "f.txt": "a\r\nb\r\nc\r\n" });
  await bench.call(edit, change("a\nb", "a\nB\nB2"));
  expect(await bench.text("f.txt")).toBe("a\r\nB\r\nB2\r\nc\r\n");
});

test("replacement text is literal, and so is the text to replace", async () => {
  await using bench = await workbench({ "f.txt": "a.*b (x)\naxxb\n" });
  await bench.call(edit, change("a.*b (x)", "$& $1 $$"));
  expect(await bench.text("f.txt")).toBe("$& $1 $$\naxxb\n");
});

test("a near miss shows the closest lines as they are", async () => {
  await using bench = await workbench({ "f.txt": "import x\n\ndef total(items):\n    return sum(items)\n" });
  expect(await bench.ask(edit, change("def total(item):\n    return sum(item)", "x"))).toBe(
    `the text to replace was not found in ${bench.path("f.txt")}. The closest text is at line 3:\n3\tdef total(items):\n4\t    return sum(items)\nCopy the text exactly as it is in the file, without the numbers`,
  );
});

test("a near miss in nothing but blanks says so", async () => {
  await using bench = await workbench({ "f.txt": "if a:\n\tb()\n" });
  expect(await bench.ask(edit, change("if a:\n    b()", "x"))).toContain(
    "\nLine 2 differs only in the blanks in front (the file has 1 tab, the call 4 blanks). Copy",
  );
});

test("a text that is like nothing in the file is refused without a guess", async () => {
  await using bench = await workbench({ "f.txt": "abc\n" });
  expect(await bench.ask(edit, change("zzzzzz", "x"))).toBe(
    `the text to replace was not found in ${bench.path("f.txt")}; read the file and copy the text from it`,
  );
});

test("a refusal that quotes the file passes the policy for reading first", async () => {
  await using bench = await workbench({ "f.txt": "secret = 1\n" });
  const call = await bench.ready(edit, change("secret = 2", "x"));
  expect([call.access, call.shown]).toEqual([{ reads: [bench.path("f.txt")] }, { kind: "none" }]);
});

test("a file that is not UTF-8 is left untouched", async () => {
  const latin = Buffer.from("x = 1\n# caf\xe9\n", "latin1");
  await using bench = await workbench({ "f.txt": latin });
  expect(await bench.ask(edit, change("x = 1", "x = 2"))).toBe(
    `${bench.path("f.txt")} is not UTF-8 text (invalid byte 0xE9 at offset 11), so it is left untouched`,
  );
  expect(await readFile(bench.path("f.txt"))).toEqual(latin);
});

test("a file that changed since it was read has to be read again", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  await bench.call(read, { path: "f.txt" });
  await bench.put({ "f.txt": "a\nb\n" });
  expect(await bench.ask(edit, change("a", "A"))).toBe(
    `${bench.path("f.txt")} has changed since it was read; read it again before editing it`,
  );
  await bench.call(read, { path: "f.txt" });
  expect(await bench.call(edit, change("a", "A"))).toMatchObject({ ok: true });
  expect(await bench.call(edit, change("b", "B"))).toMatchObject({ ok: true });
  expect(await bench.text("f.txt")).toBe("A\nB\n");
});

test("a harness may demand that the file was read", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  const input = change("a", "A", { requireRead: true });
  expect(await bench.ask(edit, input)).toBe(
    `${bench.path("f.txt")} has not been read yet; read it before editing it`,
  );
  await bench.call(read, { path: "f.txt" });
  expect(await bench.call(edit, input)).toMatchObject({ ok: true });
});

test("two edits that were prepared together both take effect", async () => {
  await using bench = await workbench({ "f.txt": "a\nb\n" });
  const first = await bench.ready(edit, change("a", "A"));
  const second = await bench.ready(edit, change("b", "B"));
  await first.run(bench.ctx);
  await second.run(bench.ctx);
  expect(await bench.text("f.txt")).toBe("A\nB\n");
});

test("nothing to replace makes a new file, and only that", async () => {
  await using bench = await workbench({ "g.txt": "x\n" });
  expect(await bench.ask(edit, change("", "new\n"))).toBe(`Created ${bench.path("f.txt")}`);
  expect(await bench.ask(edit, { path: "g.txt", oldString: "", newString: "y" })).toBe(
    `${bench.path("g.txt")} is not empty, so the text to replace can't be empty`,
  );
  expect(await bench.ask(edit, { path: "h.txt", oldString: "a", newString: "y" })).toBe(
    `${bench.path("h.txt")} does not exist. Did you mean f.txt?`,
  );
  expect(await bench.ask(edit, change("new", "new"))).toBe("the new text is the same as the text to replace");
  expect(await bench.files()).toEqual({ "f.txt": "new\n", "g.txt": "x\n" });
});

test("several replacements are made one after the other, or none of them", async () => {
  await using bench = await workbench({ "f.txt": "a\nb\n" });
  const edits = (...pairs: [string, string][]) => ({
    path: "f.txt",
    edits: pairs.map(([old, text]) => ({ old, new: text })),
  });
  const { fields } = await bench.call(edit, edits(["a", "c"], ["c\nb", "d"]));
  expect(fields).toMatchObject({
    case: "replaced",
    edits: 2,
    replacements: 2,
    region: "d\n",
    from: 1,
    to: 2,
  });
  expect(await bench.text("f.txt")).toBe("d\n");
  const failed = await bench.call(edit, edits(["d", "e"], ["nothing", "f"]));
  expect([failed.ok, failed.fields?.["case"], failed.fields?.["oldString"]]).toEqual([
    false,
    "no_match",
    "nothing",
  ]);
  expect(await bench.text("f.txt")).toBe("d\n");
  expect(await bench.ask(edit, edits(["d", "e"], ["", "f"]))).toContain("can't be empty");
});

test("a file that would fill the memory is left untouched", async () => {
  await using bench = await workbench({ "f.txt": "x = 1\n" });
  const size = 64 * 2 ** 20 + 1;
  await truncate(bench.path("f.txt"), size);
  expect(await bench.ask(edit, change("x = 1", "x = 2"))).toBe(
    `${bench.path("f.txt")} is too large to change (${size} bytes); change it by a command`,
  );
});
