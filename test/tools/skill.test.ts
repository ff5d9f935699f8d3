import { expect, test } from "bun:test";
import { skill } from "../../src/tools/skill.ts";
import { workbench } from "./files/workbench.ts";

const TEXT = "---\nname: tidy\ndescription: cleans\n---\n\n# Tidy\nSweep $ARGUMENTS first.\n";

async function house(files: Record<string, string> = {}) {
  const bench = await workbench({ "tidy/SKILL.md": TEXT, ...files });
  const skills = [{ name: "tidy", description: "cleans", path: bench.path("tidy/SKILL.md") }];
  return Object.assign(bench, { skills });
}

test("the instructions are loaded by name, and what lies beside them is only named", async () => {
  await using bench = await house({ "tidy/scripts/run.sh": "exit 1", "tidy/notes.md": "secret" });
  const result = await bench.call(skill, { name: "/tidy", args: "the hall" }, { skills: bench.skills });
  expect(result).toMatchObject({
    ok: true,
    content: [
      {
        text: `# Tidy\nSweep the hall first.\n\nFiles beside it, in ${bench.path("tidy")}:\nnotes.md\nscripts/run.sh`,
      },
    ],
    fields: { case: "loaded", name: "tidy", folder: bench.path("tidy") },
  });
});

test("a name that is not known is answered with those that are", async () => {
  await using bench = await house();
  expect(await bench.ask(skill, { name: "cook" }, { skills: bench.skills })).toBe(
    "there is no skill cook; there are tidy",
  );
  expect(await bench.ask(skill, { name: "cook" })).toBe("there is no skill cook; none is installed");
});

test("long instructions are cut at a line, with the place where they go on", async () => {
  await using bench = await house({ "tidy/SKILL.md": `---\nname: tidy\n---\n${"line\n".repeat(100)}` });
  const small = { skills: bench.skills, outputLimit: { unit: "bytes", limit: 22 } } as const;
  expect(await bench.ask(skill, { name: "tidy" }, small)).toBe(
    `line\nline\nline\nline\n[the rest was left out; read ${bench.path("tidy/SKILL.md")} from line 4 of the instructions on]`,
  );
});

test("a file that is gone is a failed call", async () => {
  await using bench = await house();
  const skills = [{ name: "tidy", description: "", path: bench.path("gone/SKILL.md") }];
  const result = await bench.call(skill, { name: "tidy" }, { skills });
  expect(result.ok).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "instructions that have become a pipe are a failed call",
  async () => {
    await using bench = await house();
    Bun.spawnSync(["mkfifo", bench.path("SKILL.md")]);
    const skills = [{ name: "tidy", description: "", path: bench.path("SKILL.md") }];
    expect(await bench.ask(skill, { name: "tidy" }, { skills })).toBe(
      `${bench.path("SKILL.md")} can't be read: it is not an ordinary file`,
    );
  },
);
