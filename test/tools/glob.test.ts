import { expect, test } from "bun:test";
import { symlink, utimes } from "node:fs/promises";
import { glob } from "../../src/tools/glob.ts";
import { type Workbench, workbench } from "./files/workbench.ts";

/** Files whose times are in the order given, the first one oldest. */
async function agedBench(...names: string[]): Promise<Workbench> {
  const bench = await workbench(Object.fromEntries(names.map((name) => [name, ""])));
  for (const [i, name] of names.entries()) await utimes(bench.path(name), 1000 + i, 1000 + i);
  return bench;
}

test("matching files come newest first", async () => {
  await using bench = await agedBench("src/old.ts", "src/a/new.ts", "x.md", "src/mid.ts");
  await symlink("old.ts", bench.path("src/link.ts"));
  expect((await bench.ask(glob, { pattern: "src/**/*.ts" })).split("\n")).toEqual([
    "src/mid.ts",
    "src/a/new.ts",
    "src/link.ts",
    "src/old.ts",
  ]);
});

test("a folder may stand in the pattern or beside it, and paths may be absolute", async () => {
  await using bench = await agedBench("src/a.ts", "src/b.ts");
  const asked = [
    { pattern: "*.ts", path: "src" },
    { pattern: "./src/*.ts" },
    { pattern: `${bench.path("src")}/*.ts` },
    { pattern: "src/{a,b}.ts" },
  ];
  for (const input of asked) expect(await bench.ask(glob, input)).toBe("src/b.ts\nsrc/a.ts");
  expect(await bench.ask(glob, { pattern: "src/a.ts", absolute: true })).toBe(bench.path("src/a.ts"));
});

test("ignored files are left out, and a limit says that it cut", async () => {
  await using bench = await agedBench("a.ts", "b.ts", "out/c.ts");
  await bench.put({ ".gitignore": "out\n" });
  const result = await bench.call(glob, { pattern: "**/*.ts", limit: 1 });
  expect(result.content).toEqual([
    { type: "input_text", text: "b.ts\n(the newest 1 of 2 files; narrow the pattern for the rest)" },
  ]);
  expect(result.fields).toMatchObject({ files: 2, text: "b.ts", more: true, pattern: "**/*.ts" });
});

test("nothing found is no failure, a missing folder is", async () => {
  await using bench = await agedBench("src/a.ts");
  expect(await bench.call(glob, { pattern: "*.rs" })).toMatchObject({
    ok: true,
    content: [{ type: "input_text", text: "No files found" }],
  });
  expect(await bench.ask(glob, { pattern: "*.ts", path: "scr" })).toBe(
    `${bench.path("scr")} does not exist. Did you mean src?`,
  );
});

test("folders and ignored files are found when they are asked for, and the first ones can be left out", async () => {
  await using bench = await workbench({ ".gitignore": "out\n", "out/a.ts": "", "src/b.ts": "" });
  const names = async (input: object) => {
    const { fields } = await bench.call(glob, { pattern: "**", ...input });
    return String(fields?.["text"]).split("\n").sort();
  };
  expect(await names({})).toEqual([".gitignore", "src/b.ts"]);
  expect(await names({ includeDirs: true })).toEqual([".gitignore", "src", "src/b.ts"]);
  expect(await names({ includeIgnored: true })).toEqual([".gitignore", "out/a.ts", "src/b.ts"]);
  expect(await names({ offset: 1 })).toHaveLength(1);
  expect(await names({ limit: 0, offset: 2 })).toEqual([""]);
});
