import { expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findSkills, type SkillPlaces } from "../../../src/extensions/skills/find.ts";
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
  expect(warnings).toEqual(["the skills of this project were not read: the project is not trusted"]);
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
  await symlink(await skill(home, "~/else", "elsewhere"), join(home.path, "skills/linked/SKILL.md"));
  expect(await findSkills(places(home))).toEqual({
    skills: [],
    warnings: [`the skill ${path} was left out: it must begin with YAML between two lines of ---`],
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
