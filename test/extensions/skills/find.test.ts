import { expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findSkills, listSkills } from "../../../src/extensions/skills/find.ts";
import type { SkillPlaces } from "../../../src/extensions/skills/places.ts";
import { type TempHome, tempHome } from "../../support/home.ts";

async function skill(home: TempHome, folder: string, name: string, description = `does ${name}`) {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\nDo ${name}.\n`;
  return await home.write(`${folder}/SKILL.md`, text);
}

function places(home: TempHome, change: Partial<SkillPlaces> = {}): SkillPlaces {
  return {
    home: home.path,
    personHome: dirname(home.path),
    cwd: home.cwd,
    projectRoot: home.cwd,
    isTrusted: true,
    rules: [],
    ...change,
  };
}

const names = async (at: SkillPlaces) => (await findSkills(at)).skills.map(({ name }) => name);

test("skills are found in the project, in the program's home and in the user's, the nearest first", async () => {
  await using home = await tempHome();
  const near = await skill(home, "app/.agents/skills/near", "near");
  await skill(home, ".openinterpreter/skills/root", "root");
  await skill(home, "~/skills/old", "old");
  await skill(home, "~/../.agents/skills/own", "own");
  const cwd = join(home.cwd, "app");
  expect(await names(places(home, { cwd }))).toEqual(["near", "root", "old", "own"]);
  expect((await findSkills(places(home, { cwd }))).skills[0]).toEqual({
    name: "near",
    description: "does near",
    path: near,
  });
});

test("the skills of a project that is not trusted are left out, and that is said", async () => {
  await using home = await tempHome();
  await skill(home, ".agents/skills/theirs", "theirs");
  await skill(home, "~/skills/own", "own");
  const { skills, warnings } = await findSkills(places(home, { isTrusted: false }));
  expect(skills.map(({ name }) => name)).toEqual(["own"]);
  expect(warnings).toEqual([
    `the skills of this project were not read: the project is not trusted. To trust it, add [projects."${home.cwd}"] trust_level = "trusted" to ${join(home.path, "config.toml")}`,
  ]);
});

test("of a name that comes twice, the nearest counts", async () => {
  await using home = await tempHome();
  await skill(home, ".agents/skills/a", "same", "of the project");
  await skill(home, "~/skills/b", "same", "of the user");
  expect((await findSkills(places(home))).skills.map(({ description }) => description)).toEqual([
    "of the project",
  ]);
});

test("a skill may lie in a folder of folders, and its own folders hold no further skills", async () => {
  await using home = await tempHome();
  await skill(home, "~/skills/group/inner", "inner");
  await skill(home, "~/skills/group/inner/references", "reference");
  await skill(home, "~/skills/.hidden", "hidden");
  expect(await names(places(home))).toEqual(["inner"]);
});

test("a file that can't be a skill is left out with the reason, and a link to a file is none", async () => {
  await using home = await tempHome();
  const path = await home.write("~/skills/broken/SKILL.md", "# no head\n");
  await mkdir(join(home.path, "skills/linked"));
  const link = join(home.path, "skills/linked/SKILL.md");
  await symlink(await skill(home, "~/else", "elsewhere"), link);
  expect(await findSkills(places(home))).toEqual({
    skills: [],
    warnings: [
      `the skill ${link} was left out: it is not an ordinary file`,
      `the skill ${path} was left out: it must begin with YAML between two lines of ---`,
    ],
  });
});

test("skills are switched off by name or by folder, the last rule counting", async () => {
  await using home = await tempHome();
  await skill(home, "~/skills/a", "a");
  const b = await skill(home, "~/skills/b", "b");
  const rules = [
    { name: "a", enabled: false },
    { path: dirname(b), enabled: false },
    { name: "a", enabled: true },
  ];
  expect(await names(places(home, { rules }))).toEqual(["a"]);
});

test("a project can't bring in skills from outside by a link; the user can", async () => {
  await using home = await tempHome();
  const other = dirname(dirname(await skill(home, "~/other/tool/inner", "inner")));
  await mkdir(join(home.cwd, ".agents/skills"), { recursive: true });
  await symlink(other, join(home.cwd, ".agents/skills/out"));
  await symlink(home.cwd, join(home.cwd, ".agents/skills/loop"));
  expect(await findSkills(places(home))).toEqual({
    skills: [],
    warnings: [
      `${join(home.cwd, ".agents/skills/out")} was left out: it is a link that leads out of the project`,
    ],
  });
  await mkdir(join(home.path, "skills"));
  await symlink(other, join(home.path, "skills/mine"));
  expect(await names(places(home))).toEqual(["inner"]);
});

test("huge files, names that could write to a terminal and texts that end the list are kept out", async () => {
  await using home = await tempHome();
  const huge = await home.write(
    "~/skills/huge/SKILL.md",
    `---\ndescription: big\n---\n${"x".repeat(1_100_000)}`,
  );
  await skill(home, "~/skills/b\u001b[2J", "escape");
  await skill(home, "~/skills/c", '"a\\u001b[31mb"', '"one\\u001b[2J </skills> two"');
  const { skills, warnings } = await findSkills(places(home));
  expect(skills.map(({ name, description }) => [name, description])).toEqual([["ab", "one > two"]]);
  expect(warnings).toEqual([`the skill ${huge} was left out: it is larger than 1 MiB`]);
});

test("the user's own folder is not a project's, also when the work is in the home folder itself", async () => {
  await using home = await tempHome();
  await skill(home, "~/../.agents/skills/own", "own");
  const cwd = dirname(home.path);
  const at = places(home, { cwd, projectRoot: cwd, isTrusted: false });
  expect(await findSkills(at)).toMatchObject({ skills: [{ name: "own" }], warnings: [] });
});

test("a skill that is for the user to name is found, and marked", async () => {
  await using home = await tempHome();
  await home.write("~/skills/a/SKILL.md", "---\ndescription: a\ndisable-model-invocation: true\n---\nDo.\n");
  await skill(home, "~/skills/b", "b");
  await home.write("~/skills/b/agents/openai.yaml", "policy:\n  allow_implicit_invocation: false\n");
  const { skills } = await findSkills(places(home));
  expect(skills.map(({ name, isUnlisted }) => [name, isUnlisted])).toEqual([
    ["a", true],
    ["b", true],
  ]);
});

test("a list for people tells what is switched off and what stands behind a nearer skill", async () => {
  await using home = await tempHome();
  const near = await skill(home, ".agents/skills/a", "same");
  await skill(home, "~/skills/a", "same");
  await skill(home, "~/skills/b", "off");
  const bundled = [{ name: "qa", description: "ours", path: "/ours/qa/SKILL.md" }];
  const { skills } = await listSkills(places(home, { bundled, rules: [{ name: "off", enabled: false }] }));
  expect(skills.map(({ name, scope, isEnabled, hiddenBy }) => [name, scope, isEnabled, hiddenBy])).toEqual([
    ["same", "project", true, undefined],
    ["same", "user", true, near],
    ["off", "user", false, undefined],
    ["qa", "bundled", true, undefined],
  ]);
});

test("a folder's name that could end a list or an element is no name of a skill", async () => {
  await using home = await tempHome();
  const path = await home.write('~/skills/a"><skills>/SKILL.md', "---\ndescription: a\n---\nDo.\n");
  const long = await home.write(`~/skills/${"b".repeat(65)}/SKILL.md`, "---\ndescription: b\n---\nDo.\n");
  const { skills, warnings } = await findSkills(places(home));
  expect([skills, warnings]).toEqual([
    [],
    [
      `the skill ${path} was left out: the name of its folder holds one of < > " \``,
      `the skill ${long} was left out: the name of its folder is longer than 64 characters`,
    ],
  ]);
});
