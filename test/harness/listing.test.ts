import { expect, test } from "bun:test";
import { folderTree } from "../../src/harness/listing.ts";
import { tempHome } from "../support/home.ts";

test("a folder is shown as a tree, folders first, and what is left out is counted", async () => {
  await using home = await tempHome();
  for (const name of ["b.txt", "A.md", ".env", "src/x.ts", "src/y.ts", "src/z.ts", "docs/deep/no.md"])
    await home.write(name, "");
  expect(await folderTree(home.cwd, { entries: 3, children: 2, hidden: false })).toBe(
    [
      "├── docs/",
      "│   └── deep/",
      "├── src/",
      "│   ├── x.ts",
      "│   ├── y.ts",
      "│   └── ... and 1 more",
      "├── A.md",
      "└── ... and 1 more",
    ].join("\n"),
  );
  expect(await folderTree(home.cwd, { entries: 9, children: 0, hidden: true })).toBe(
    ["├── docs/", "├── src/", "├── .env", "├── A.md", "└── b.txt"].join("\n"),
  );
});

test("a folder that can't be read is shown as empty", async () => {
  expect(await folderTree("/nowhere", { entries: 9, children: 9, hidden: false })).toBe("");
});
