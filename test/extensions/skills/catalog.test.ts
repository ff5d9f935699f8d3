import { expect, test } from "bun:test";
import { skillCatalog } from "../../../src/extensions/skills/catalog.ts";
import { mentionedSkills } from "../../../src/extensions/skills/mentions.ts";

const skill = (name: string, description = "does it") => ({ name, description, path: `/s/${name}/SKILL.md` });

test("there is one line for each skill, with its file where the model reads that itself", () => {
  const skills = [skill("a"), skill("b")];
  expect(skillCatalog(skills, { contextWindow: 100_000, paths: false })).toEqual({
    text: "- a: does it\n- b: does it",
  });
  expect(skillCatalog([skill("a")], { contextWindow: 100_000, paths: true }).text).toBe(
    "- a: does it (/s/a/SKILL.md)",
  );
});

test("a small window shortens descriptions before it leaves out skills, and says so", () => {
  const skills = [skill("a", "x".repeat(300)), skill("b", "short")];
  const { text, warning } = skillCatalog(skills, { contextWindow: 2_000, paths: false });
  expect(text).toMatch(/^- a: x{20,120}\.\.\.\n- b: short$/);
  expect(text.length).toBeLessThanOrEqual(160);
  expect(warning).toBe("the descriptions of 1 skills were shortened to fit the model's window");
  expect(skillCatalog(skills, { contextWindow: 60, paths: false })).toEqual({
    text: "- a",
    warning: "1 of 2 skills are not shown to the model: its window is too small for the list",
  });
});

test("a skill is named with a dollar sign, also at the end of a sentence", () => {
  const skills = [skill("pdf"), skill("pdf-forms"), skill("HOME"), skill("x.y")];
  const named = (text: string) => mentionedSkills(text, skills).map(({ name }) => name);
  expect(named("use $pdf.")).toEqual(["pdf"]);
  expect(named("use $pdf-forms, then $x.y")).toEqual(["pdf-forms", "x.y"]);
  expect(named("pdf costs 5$pdf and \\$pdf or $pdfs")).toEqual([]);
});

test("our own skills come last, only in a wide window, and never crowd out or shorten the user's", () => {
  const ours = { ...skill("qa", "tests it"), isBundled: true };
  const listOf = (contextWindow: number, more: (typeof ours | ReturnType<typeof skill>)[] = []) =>
    skillCatalog([skill("a"), ...more, ours], { contextWindow, paths: false });
  expect(listOf(64_000)).toEqual({ text: "- a: does it\n- qa: tests it" });
  expect(listOf(32_000)).toEqual({ text: "- a: does it" });
  expect(listOf(64_000, [skill("b", "x".repeat(5_095))])).toEqual({
    text: `- a: does it\n- b: ${"x".repeat(5_095)}`,
  });
});

test("a skill for the user to name is not in the list", () => {
  const skills = [skill("a"), { ...skill("b"), isUnlisted: true }];
  expect(skillCatalog(skills, { contextWindow: 64_000, paths: false })).toEqual({ text: "- a: does it" });
});
