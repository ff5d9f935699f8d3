import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TempHome, tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

async function skills(home: TempHome, ...args: string[]) {
  const { exitCode, stdout, stderr } = await run(home, ["skills", ...args]);
  return { exitCode, stdout, stderr };
}

const SKILL = "---\nname: tidy\ndescription: Cleans the house.\n---\nSweep first.\n";

test("the list names each skill with its place, and those of an untrusted project are not read", async () => {
  await using home = await tempHome();
  const path = await home.write("~/skills/tidy/SKILL.md", SKILL);
  await home.write(".agents/skills/theirs/SKILL.md", SKILL.replace("tidy", "theirs"));
  const { exitCode, stdout, stderr } = await skills(home, "list");
  expect(exitCode).toBe(0);
  expect(stdout).toStartWith(`tidy  (user)\n  Cleans the house.\n  ${path}\nqa  (bundled)\n`);
  expect(stdout).not.toContain("theirs");
  const way = `To trust it, add [projects."${home.cwd}"] trust_level = "trusted" to ${home.path}/config.toml`;
  expect(stderr).toBe(
    `warning: the skills of this project were not read: the project is not trusted. ${way}\n`,
  );
  const listed: unknown = JSON.parse((await skills(home, "list", "--json")).stdout);
  expect(Array.isArray(listed) && listed[0]).toEqual({
    name: "tidy",
    description: "Cleans the house.",
    path,
    scope: "user",
    enabled: true,
    model_may_choose: true,
    hidden_by: null,
  });
});

test("what is switched off or stands behind another is shown with --all", async () => {
  await using home = await tempHome();
  const near = await home.write("~/skills/a/SKILL.md", SKILL);
  await home.write("~/../.agents/skills/tidy/SKILL.md", SKILL);
  await home.write(
    "~/config.toml",
    '[skills]\nbundled.enabled = false\n[[skills.config]]\nname = "off"\nenabled = false\n',
  );
  await home.write("~/skills/off/SKILL.md", SKILL.replace("tidy", "off"));
  expect((await skills(home, "list")).stdout).toBe(`tidy  (user)\n  Cleans the house.\n  ${near}\n`);
  const { stdout } = await skills(home, "list", "--all");
  expect(stdout).toContain("off  (user, switched off)\n");
  expect(stdout).toContain(`tidy  (user, not used: ${near} is nearer)\n`);
});

test("one skill is shown with its instructions and what lies beside it", async () => {
  await using home = await tempHome();
  const { exitCode, stdout } = await skills(home, "show", "qa");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("beside it:\n  references/desktop.md\n  references/web.md\n\n# Testing an app");
  expect((await skills(home, "show", "skill-creatr")).stderr).toBe(
    "error: there is no skill \"skill-creatr\"\ndid you mean skill-creator? 'interpreter skills list' shows the ones that exist\n",
  );
});

test("a new skill is one that is fine, in the home folder or in the project, and never over another", async () => {
  await using home = await tempHome();
  const made = await skills(home, "new", "release", "-d", "Makes: releases");
  const file = join(dirname(home.path), ".agents/skills/release/SKILL.md");
  expect(made.stdout).toStartWith(`${file}\n`);
  expect(await readFile(file, "utf8")).toStartWith(
    '---\nname: release\ndescription: "Makes: releases"\n---\n1. ',
  );
  expect((await skills(home, "validate", file)).stdout).toBe("1 skill: fine\n");
  expect((await skills(home, "new", "release")).exitCode).toBe(1);
  expect(await readFile(file, "utf8")).toContain("Makes: releases");
  const shared = await skills(home, "new", "mine", "--project", "--from", "qa");
  expect(shared.stdout).toContain(
    `The project is not trusted, so its skills are not read yet. To trust it, add [projects."${home.cwd}"] trust_level = "trusted" to ${home.path}/config.toml\n`,
  );
  expect(await readFile(join(home.cwd, ".agents/skills/mine/SKILL.md"), "utf8")).toStartWith(
    "---\nname: mine\n",
  );
  expect((await skills(home, "validate", ".agents/skills")).stdout).toBe("1 skill: fine\n");
  const bad = await skills(home, "new", "../up");
  expect([bad.exitCode, bad.stderr.split("\n", 1)[0]]).toEqual([
    2,
    'error: wanted a name of at most 64 letters, digits, -, _ and ., found "../up"',
  ]);
  const device = await skills(home, "new", "con.old");
  expect([device.exitCode, device.stderr.split("\n", 1)[0]]).toEqual([
    2,
    'error: wanted a name that every system can use for a folder, found "con.old"',
  ]);
});

test("mistakes are told with file and line, and make the exit code 1", async () => {
  await using home = await tempHome();
  await home.write("broken/SKILL.md", "---\nname: broken\n---\nGo.\n");
  await home.write("odd/SKILL.md", "---\nname: other\ndescription: d\n---\nGo.\n");
  expect(await skills(home, "validate", "broken", "odd")).toEqual({
    exitCode: 1,
    stdout:
      "broken/SKILL.md:1: error: description is missing: the model chooses skills by it\n" +
      'odd/SKILL.md:2: warning: name is "other", but its folder is called "odd"\n' +
      "2 skills: 1 mistake, 1 warning\n",
    stderr: "",
  });
  expect((await skills(home, "validate", "odd")).exitCode).toBe(0);
  expect((await skills(home, "validate", "odd", "--strict")).exitCode).toBe(1);
  const json: unknown = JSON.parse((await skills(home, "validate", "broken", "--json")).stdout);
  expect(json).toMatchObject({ problems: [{ line: 1, level: "error" }] });
  expect((await skills(home, "validate", "nowhere")).exitCode).toBe(1);
});
