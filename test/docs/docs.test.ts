import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ownKeys } from "../../src/config/schema.ts";
import { HarnessFile } from "../../src/harness/schema.ts";
import { TABLES, withTable } from "./tables.ts";

const root = join(import.meta.dir, "..", "..");
const docs = join(root, "docs");

for (const table of TABLES) {
  const { page, name } = table;
  test(`docs/${page} has the table "${name}" that the code makes (UPDATE_DOCS=1 bun test test/docs writes it)`, async () => {
    const file = Bun.file(join(docs, page));
    const wanted = withTable(await file.text(), table);
    if (process.env["UPDATE_DOCS"]) await file.write(wanted);
    expect(await file.text()).toBe(wanted);
    expect(table.table()).not.toContain("| ? |");
  });
}

test("every key of a harness file is in docs/harnesses.md", async () => {
  const text = await Bun.file(join(docs, "harnesses.md")).text();
  const top = Object.keys(HarnessFile.shape);
  const tool = Object.keys(HarnessFile.shape.tools.unwrap().element.shape);
  const layout = Object.keys(HarnessFile.shape.layout.unwrap().shape);
  const missing = [...top, ...tool, ...layout].filter((key) => !new RegExp(`\`${key}[.\`]`).test(text));
  expect(missing).toEqual([]);
});

test("every key of config.toml that has an effect is explained on some page", async () => {
  const pages = [...new Bun.Glob("*.md").scanSync(docs)];
  const text = (await Promise.all(pages.map((page) => Bun.file(join(docs, page)).text()))).join("\n");
  const missing = Object.keys(ownKeys).filter((key) => !new RegExp(`\\b${key}\\b`).test(text));
  expect(missing).toEqual([]);
});

test("folders and files of the code that a page names are there", async () => {
  const names = (await readdir(join(root, "src"))).join("|");
  const path = new RegExp(`\`((?:src|test|install|harnesses|${names})/[\\w./-]+)\``, "g");
  const missing: string[] = [];
  for (const page of ["README.md", ...[...new Bun.Glob("docs/*.md").scanSync(root)]]) {
    const text = await Bun.file(join(root, page)).text();
    for (const [, named = ""] of text.matchAll(path)) {
      const isPlaceholder = /(?:^|\/)(?:NAME|ID|X)(?:$|\.)/.test(named);
      if (!isPlaceholder && ![named, `src/${named}`].some((at) => existsSync(join(root, at))))
        missing.push(`${page}: ${named}`);
    }
  }
  expect(missing).toEqual([]);
});

test("links between the pages lead somewhere", async () => {
  const pages = [
    "README.md",
    ...(await readdir(docs)).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
  ];
  const broken: string[] = [];
  for (const page of pages) {
    const text = await Bun.file(join(root, page)).text();
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      if (!(await Bun.file(join(root, dirname(page), target)).exists())) broken.push(`${page}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});
