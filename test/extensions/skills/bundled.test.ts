import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BUNDLED_FILES } from "../../../src/extensions/skills/bundled/texts.ts";
import { bundledSkills, FINGERPRINT } from "../../../src/extensions/skills/bundled.ts";
import { checkSkill } from "../../../src/extensions/skills/check.ts";
import { readFrontMatter } from "../../../src/extensions/skills/front-matter.ts";
import { loadHarnessFile } from "../../../src/harness/load.ts";
import { tempHome } from "../../support/home.ts";

test("the fingerprint is that of the texts", () => {
  const hash = new Bun.CryptoHasher("sha256");
  for (const [name, text] of Object.entries(BUNDLED_FILES)) hash.update(`${name}\0${text}\0`);
  expect(FINGERPRINT).toBe(hash.digest("hex").slice(0, 8));
});

test("our skills are written once, whole, with the heads that the list shows, and have no mistakes", async () => {
  await using home = await tempHome();
  const skills = await bundledSkills(home.path, true);
  expect(skills.map(({ name }) => name)).toEqual(["qa", "skill-creator", "harness-author"]);
  for (const { name, description, path } of skills) {
    const text = await readFile(path, "utf8");
    expect(await readFrontMatter(text)).toEqual({ name, description });
    expect(await checkSkill(path)).toEqual([]);
    expect(text.split("\n").length).toBeLessThan(200);
  }
  const written = await readdir(join(home.path, "skills/.system"), { recursive: true });
  expect(Object.keys(BUNDLED_FILES).filter((name) => !written.includes(join(FINGERPRINT, name)))).toEqual([]);
  const [first] = skills;
  await writeFile(first?.path ?? "", "changed");
  await bundledSkills(home.path, true);
  expect(await readFile(first?.path ?? "", "utf8")).toBe("changed");
});

test("several that write at the same time leave one whole copy", async () => {
  await using home = await tempHome();
  const all = await Promise.all(Array.from({ length: 8 }, () => bundledSkills(home.path, true)));
  expect(all.map((skills) => skills.length)).toEqual(Array.from({ length: 8 }, () => 3));
  expect(await readdir(join(home.path, "skills/.system"))).toEqual([FINGERPRINT]);
});

test("where they can't be written there are none", async () => {
  await using home = await tempHome();
  await mkdir(join(home.path, "skills"));
  await writeFile(join(home.path, "skills/.system"), "a file in the way");
  expect(await bundledSkills(home.path, true)).toEqual([]);
  await rm(dirname(join(home.path, "skills/.system")), { recursive: true });
  expect(await bundledSkills(home.path, true)).toHaveLength(3);
});

test("the example of a harness file in harness-author is one", async () => {
  const [, yaml = ""] =
    /```yaml\n([\s\S]*?)```/.exec(BUNDLED_FILES["harness-author/references/keys.md"] ?? "") ?? [];
  const harness = await loadHarnessFile("/x/terse.yaml", yaml, []);
  expect([harness.id, harness.tools.at(-1)?.name]).toEqual(["terse", "run"]);
});

test("what keeps nothing writes none, and has those that are there", async () => {
  await using home = await tempHome();
  expect(await bundledSkills(home.path, false)).toEqual([]);
  expect(await readdir(home.path)).toEqual([]);
  await bundledSkills(home.path, true);
  expect(await bundledSkills(home.path, false)).toHaveLength(3);
});
