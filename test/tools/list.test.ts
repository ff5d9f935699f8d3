import { expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { list } from "../../src/tools/list.ts";
import { workbench } from "./files/workbench.ts";

const tree = {
  ".gitignore": "out\n",
  "out/a": "",
  "src/app/main.ts": "",
  "src/util.ts": "",
  "README.md": "",
};

test("the entries of a folder are listed, ignored folders by name only", async () => {
  await using bench = await workbench(tree);
  await symlink("src", bench.path("link"));
  expect(await bench.ask(list, {})).toBe(".gitignore\nREADME.md\nlink -> src\nout/ (ignored)\nsrc/");
});

test("more levels are indented, and a limit says that it cut", async () => {
  await using bench = await workbench(tree);
  expect(await bench.ask(list, { path: "src", depth: 2 })).toBe("app/\n  main.ts\nutil.ts");
  const result = await bench.call(list, { path: "src", depth: 2, limit: 1 });
  expect(result.content).toEqual([
    { type: "input_text", text: "app/\n(the first 1 entries; list a folder below for more)" },
  ]);
  expect(result.fields).toEqual({ path: bench.path("src"), entries: 1, text: "app/", more: true });
});

test("what a policy hides is not listed", async () => {
  await using bench = await workbench({ "a/x": "", "b/y": "", "c.key": "" });
  const policy = {
    mode: "restricted" as const,
    read: "everything" as const,
    write: [],
    protect: [],
    deny: [bench.path("a"), "/**/*.key"],
    network: false,
  };
  expect(await bench.ask(list, { depth: 2 }, { policy })).toBe("b/\n  y");
});

test("a file, a missing folder and an empty folder are told apart", async () => {
  await using bench = await workbench({ "f.txt": "" });
  expect(await bench.ask(list, { path: "f.txt" })).toBe(`${bench.path("f.txt")} is a file, not a folder`);
  expect(await bench.ask(list, { path: "g.txt" })).toBe(
    `${bench.path("g.txt")} does not exist. Did you mean f.txt?`,
  );
  await using empty = await workbench();
  expect(await empty.ask(list, {})).toBe("(the folder is empty)");
});
