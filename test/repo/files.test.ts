import { expect, test } from "bun:test";
import { repositoryFiles } from "./tree.ts";

test("the top level holds what the design names and nothing else", async () => {
  const top = new Set((await repositoryFiles()).map((file) => file.split("/")[0]));
  expect([...top].sort()).toEqual([
    ".ci",
    ".gitignore",
    "LICENSE",
    "README.md",
    "biome.json",
    "bun.lock",
    "bunfig.toml",
    "docs",
    "harnesses",
    "install",
    "package.json",
    "sandbox-profiles",
    "src",
    "test",
    "tsconfig.json",
  ]);
});

test("source files carry kebab-case names", async () => {
  const odd = (await repositoryFiles()).filter(
    (file) =>
      /^(src|test|install)\/.*\.ts$/.test(file) && !/\/[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.ts$/.test(file),
  );
  expect(odd).toEqual([]);
});
