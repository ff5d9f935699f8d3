import { expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { knowledge } from "../../src/tools/files/read-state.ts";
import { read } from "../../src/tools/read.ts";
import { workbench } from "./files/workbench.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const numbers = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1}\n`).join("");

test("a text file is shown with its line numbers", async () => {
  await using bench = await workbench({ "f.txt": "a\r\n\tb\nc" });
  expect(await bench.call(read, { path: "f.txt" })).toEqual({
    ok: true,
    content: [{ type: "input_text", text: "1\ta\n2\t\tb\n3\tc" }],
    fields: {
      case: "text",
      path: bench.path("f.txt"),
      text: "1\ta\n2\t\tb\n3\tc",
      from: 1,
      to: 3,
      next: 4,
      lines: 3,
      total: 3,
      left: 0,
      more: false,
      partial: false,
      maxChars: 40000,
      encoding: "",
    },
    detail: { kind: "none" },
  });
});

const windows: readonly [title: string, input: object, text: string][] = [
  ["a window", { offset: 2, limit: 2 }, "2\tline 2\n3\tline 3\n(lines 2-3 of 5; go on with offset 4)"],
  ["the end", { offset: -2 }, "4\tline 4\n5\tline 5\n(lines 4-5 of 5)"],
  [
    "another way to write numbers",
    { limit: 1, numbers: "{n:4}→" },
    "   1→line 1\n(lines 1-1 of 5; go on with offset 2)",
  ],
  ["no numbers", { offset: 5, numbers: "" }, "line 5\n(lines 5-5 of 5)"],
  ["cut lines", { offset: 5, maxLineChars: 3 }, "5\tlin… (3 more characters)\n(lines 5-5 of 5)"],
];
for (const [title, input, text] of windows)
  test(`${title} of a file can be asked for`, async () => {
    await using bench = await workbench({ "f.txt": numbers(5) });
    expect(await bench.ask(read, { path: "f.txt", ...input })).toBe(text);
  });

test("a file over the output budget is shown in parts that say where to go on", async () => {
  await using bench = await workbench({ "f.txt": numbers(1000) });
  const outputLimit = { unit: "bytes" as const, limit: 1000 };
  const first = await bench.ask(read, { path: "f.txt" }, { outputLimit });
  const next = Number(/go on with offset (\d+)\)$/.exec(first)?.[1]);
  expect(Buffer.byteLength(first)).toBeLessThanOrEqual(1000);
  expect(await bench.ask(read, { path: "f.txt", offset: next }, { outputLimit })).toStartWith(
    `${next}\tline ${next}\n`,
  );
});

const refusals: readonly [title: string, path: string, text: string][] = [
  [
    "a missing file with the nearest name",
    "src/utl.ts",
    "{cwd}/src/utl.ts does not exist. Did you mean src/util.ts?",
  ],
  [
    "a missing file in a misspelt folder",
    "scr/util.ts",
    "{cwd}/scr/util.ts does not exist. Did you mean src/util.ts?",
  ],
  [
    "a file with another ending",
    "src/util.js",
    "{cwd}/src/util.js does not exist. Did you mean src/util.ts?",
  ],
  [
    "a file that is elsewhere",
    "lib/deep.ts",
    "{cwd}/lib/deep.ts does not exist. Did you mean src/a/deep.ts?",
  ],
  ["a file that is nowhere", "xyzzy", "{cwd}/xyzzy does not exist"],
  ["a folder with what is in it", "src", "{cwd}/src is a folder. It holds a/, util.ts"],
  ["a binary file", "data.bin", "{cwd}/data.bin is a binary file (5 bytes)"],
  ["a line past the end", "src/util.ts", "{cwd}/src/util.ts has 1 line; line 9 is past its end"],
];
for (const [title, path, text] of refusals)
  test(`${title} is refused`, async () => {
    const data = Uint8Array.of(1, 2, 0, 3, 4);
    await using bench = await workbench({ "src/util.ts": "x\n", "src/a/deep.ts": "y\n", "data.bin": data });
    const { fields: _, ...result } = await bench.call(read, { path, offset: 9 });
    expect(result).toEqual({
      ok: false,
      content: [{ type: "input_text", text: text.replace("{cwd}", bench.cwd) }],
      detail: { kind: "none" },
    });
  });

test("an empty file is said to be empty", async () => {
  await using bench = await workbench({ "f.txt": "" });
  expect(await bench.ask(read, { path: "f.txt" })).toBe("(the file is empty)");
});

test("a picture is shown to a model that can see, whatever its name is", async () => {
  await using bench = await workbench({ "f.txt": PIXEL });
  expect((await bench.call(read, { path: "f.txt" })).content).toEqual([
    { type: "input_image", imageUrl: `data:image/png;base64,${PIXEL.toString("base64")}`, detail: "high" },
  ]);
  expect(await bench.ask(read, { path: "f.txt" }, { images: false })).toBe(
    `${bench.path("f.txt")} is a picture (image/png), and the model can't look at pictures`,
  );
});

test("text in another encoding is shown, with a warning that it can't be edited", async () => {
  await using bench = await workbench({
    "latin.txt": Buffer.from("caf\xe9\n", "latin1"),
    "wide.txt": Buffer.from("\uFEFFcafé\n", "utf16le"),
  });
  expect(await bench.ask(read, { path: "latin.txt" })).toBe(
    "1\tcafé\n(shown as Latin-1; editing it by these tools is refused, it is not UTF-8)",
  );
  expect(await bench.ask(read, { path: "wide.txt" })).toBe(
    "1\tcafé\n(shown as UTF-16LE; editing it by these tools is refused, it is not UTF-8)",
  );
});

test("policy sees a link and what it leads to, and reading notes the file as known", async () => {
  await using bench = await workbench({ "f.txt": "a\n" });
  await symlink("f.txt", bench.path("ln"));
  const call = await bench.ready(read, { path: "~/ln" });
  expect([call.access, call.shown]).toEqual([
    { reads: [bench.path("ln"), bench.path("f.txt")] },
    { kind: "none" },
  ]);
  expect(knowledge(bench.ctx.memory, bench.path("f.txt"), "a\n")).toBe("unread");
  await call.run(bench.ctx);
  expect(knowledge(bench.ctx.memory, bench.path("f.txt"), "a\n")).toBe("current");
});

test("input of the wrong shape is a schema error", () => {
  expect(() => read.schema.parse({ file: "x" })).toThrow();
});

test("a long line is read in parts", async () => {
  await using bench = await workbench({ "f.txt": `${"a".repeat(50)}${"b".repeat(50)}\nc\n` });
  expect(await bench.ask(read, { path: "f.txt", column: 90, limit: 1, numbers: "" })).toMatch(
    /^bbbbbbbbbb\n/,
  );
  const { fields } = await bench.call(read, { path: "f.txt", maxChars: 250 });
  expect(fields).toMatchObject({ case: "cut", lines: 1, maxChars: 250, partial: true });
});
