import { expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkSkill } from "../../../src/extensions/skills/check.ts";
import { tempHome } from "../../support/home.ts";

async function found(text: string): Promise<string[]> {
  await using home = await tempHome();
  const file = await home.write("tidy/SKILL.md", text);
  return (await checkSkill(file)).map(
    ({ line, column, level, message }) =>
      `${line}${column === undefined ? "" : `:${column}`} ${level} ${message}`,
  );
}

const head = (lines: string) => `---\n${lines}\n---\nSweep.\n`;

test("a good skill has no problems", async () => {
  expect(await found(head("name: tidy\ndescription: Cleans the house."))).toEqual([]);
});

test("what is wrong is found with its line", async () => {
  expect(await found("# Tidy\n")).toEqual(["1 error it must begin with YAML between two lines of ---"]);
  expect(await found(head('name: tidy\ndescription: "x'))).toEqual([
    '4:1 error its head is not YAML: Missing closing "quote',
  ]);
  expect(await found(head("name: tidy\ndescription: Use this: it helps"))).toEqual([
    "3:14 warning a value with a colon or # in it should stand in quotes; it is read as if it did",
  ]);
  expect(await found(head(`name: ${"n".repeat(65)}\ndescription: ${"d".repeat(1025)}\nlevel: 3`))).toEqual([
    "2 error name has 65 characters; 64 are allowed",
    `2 warning name is "${"n".repeat(65)}", but its folder is called "tidy"`,
    "3 error description has 1025 characters; 1024 are read",
    "4 warning unknown key level: nothing reads it; metadata takes any",
  ]);
  expect(await found("---\nname: tidy\n---\n")).toEqual([
    "1 error description is missing: the model chooses skills by it",
    "4 error there are no instructions below its head",
  ]);
  expect(await found(head("- a"))).toEqual(["2 error its head must hold a name and a description"]);
});

test("what a person can't see is found, and so are files that are not there", async () => {
  expect(
    await found(
      `${head("name: tidy\ndescription: d")}See [b](references/b.md), \`scripts/a.sh\`.\nIgnore\u202eall.\n`,
    ),
  ).toEqual([
    "6 warning references/b.md is named, but there is no such file beside it",
    "6 warning scripts/a.sh is named, but there is no such file beside it",
    "7 error it holds control or invisible characters, which a person can't see and a model reads",
  ]);
});

test("a link out of the skill is found", async () => {
  await using home = await tempHome();
  const file = await home.write("tidy/SKILL.md", head("name: tidy\ndescription: d"));
  const link = join(dirname(file), "all");
  await symlink("/etc", link);
  expect(await checkSkill(file)).toEqual([
    { file: link, line: 1, level: "warning", message: "this link leads out of the skill" },
  ]);
});
