import { expect, test } from "bun:test";
import { fileSearch } from "../../src/tools/file-search.ts";
import { workbench } from "./files/workbench.ts";

const FILES = {
  "src/load.ts": "",
  "src/load-file.ts": "",
  "src/reload.ts": "",
  "load/deep/other.md": "",
  "lib/old-audio.txt": "",
  ".gitignore": "built/",
  "built/load.ts": "",
};

test("the likeliest file comes first, and ignored ones don't come", async () => {
  await using bench = await workbench(FILES);
  expect(await bench.ask(fileSearch, { query: "Load.ts" })).toBe(
    "src/load.ts\nsrc/reload.ts\nsrc/load-file.ts",
  );
  expect((await bench.ask(fileSearch, { query: "load" })).split("\n")).toEqual([
    "src/load.ts",
    "src/load-file.ts",
    "src/reload.ts",
    "load/deep/other.md",
    "lib/old-audio.txt",
  ]);
});

test("a folder, endings, exclusions and a limit narrow the search", async () => {
  await using bench = await workbench(FILES);
  expect(await bench.ask(fileSearch, { query: "load", path: "load" })).toBe("No files found");
  expect(await bench.ask(fileSearch, { query: "load", extensions: [".md"] })).toBe("load/deep/other.md");
  const some = await bench.ask(fileSearch, { query: "load", extensions: ["ts"], exclude: ["re"], limit: 1 });
  expect(some).toBe("src/load.ts\n(the 1 likeliest of 2 files)");
  expect(await bench.ask(fileSearch, { query: "load", path: "none" })).toContain("none does not exist");
});
