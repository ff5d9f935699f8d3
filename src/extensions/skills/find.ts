import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SkillEntry } from "../../tools/types.ts";
import { readOrdinaryText } from "../../util/fs.ts";
import { type SkillPlaces, type SkillRule, type SkillScope, skillRoots } from "./places.ts";
import { folderName, readHead, scanSkills } from "./scan.ts";

export type FoundSkills = {
  /** The nearest first; each name once. */
  skills: SkillEntry[];
  /** For the user, one line each. */
  warnings: string[];
};
/** A skill as it lies on the disk. */
export type ListedSkill = SkillEntry & {
  scope: SkillScope;
  /** A few words for people, where the skill has them. */
  short?: string;
  isEnabled: boolean;
  /** The path of the nearer skill of the same name, which counts in its place. */
  hiddenBy?: string;
};

/** The skills for work in `cwd`, the nearest first. Of a name that comes twice, the nearest counts. */
export async function findSkills(places: SkillPlaces): Promise<FoundSkills> {
  const { skills, warnings } = await listSkills(places);
  const counting = skills.filter(({ isEnabled, hiddenBy }) => isEnabled && hiddenBy === undefined);
  return { skills: counting.map(entryOf), warnings };
}

/** Every skill that can be seen from `cwd`, also those that are switched off or stand behind another. */
export async function listSkills(
  places: SkillPlaces,
): Promise<{ skills: ListedSkill[]; warnings: string[] }> {
  const roots = skillRoots(places).filter(({ path }) => existsSync(path));
  const isUnread = ({ scope }: { scope: SkillScope }) => scope === "project" && !places.isTrusted;
  const warnings: string[] = [];
  const found: ListedSkill[] = [];
  const seen = new Set<string>();
  for (const root of roots.filter((one) => !isUnread(one))) {
    const { files, problems } = scanSkills(root);
    warnings.push(...problems);
    for (const path of files) {
      const real = await realpath(path).catch(() => path);
      if (seen.has(real)) continue;
      seen.add(real);
      const read = await skillAt(path);
      if ("problem" in read) warnings.push(`the skill ${path} was left out: ${read.problem}`);
      else found.push({ ...read, scope: root.scope, isEnabled: isEnabled(read, places.rules) });
    }
  }
  for (const skill of places.bundled ?? [])
    found.push({ ...skill, scope: "bundled", isEnabled: isEnabled(skill, places.rules) });
  if (roots.some(isUnread))
    warnings.push(
      `the skills of this project were not read: the project is not trusted. ${wayToTrust(places)}`,
    );
  return { skills: withHidden(found), warnings };
}

/** What somebody does who has never seen the question about trust, for example because only `exec` is used. */
export function wayToTrust({ home, projectRoot }: Pick<SkillPlaces, "home" | "projectRoot">): string {
  return `To trust it, add [projects."${projectRoot}"] trust_level = "trusted" to ${join(home, "config.toml")}`;
}

async function skillAt(
  path: string,
): Promise<(SkillEntry & Pick<ListedSkill, "short">) | { problem: string }> {
  const text = await readHead(path);
  if (text === undefined) return { problem: "it could not be read" };
  const { nameProblem, readFrontMatter } = await import("./front-matter.ts");
  const head = await readFrontMatter(text);
  if ("problem" in head) return head;
  const { name = folderName(path), description, short, isForUsersOnly } = head;
  // A name of its own has been looked at with the rest of the head.
  const problem = nameProblem(name, "the name of its folder");
  if (problem !== undefined) return { problem };
  const isUnlisted = isForUsersOnly || (await isUnlistedByPolicy(path));
  return { name, description, path, ...(short ? { short } : {}), ...(isUnlisted ? { isUnlisted } : {}) };
}

/** Bytes. */
const LONGEST_POLICY = 64 * 1024;

/** Another program's file beside the skill may say that the model must not choose it by itself. */
async function isUnlistedByPolicy(path: string): Promise<boolean> {
  const file = join(dirname(path), "agents", "openai.yaml");
  if (!existsSync(file)) return false;
  const text = (await readOrdinaryText(file, LONGEST_POLICY)) ?? "";
  return /^\s+allow_implicit_invocation:\s*false\s*(?:#.*)?$/m.test(text);
}

function isEnabled({ name, path }: SkillEntry, rules: readonly SkillRule[]): boolean {
  const rule = rules.findLast((one) => one.name === name || one.path === path || one.path === dirname(path));
  return rule?.enabled ?? true;
}

function withHidden(skills: readonly ListedSkill[]): ListedSkill[] {
  const nearest = new Map<string, string>();
  return skills.map((skill) => {
    const hiddenBy = nearest.get(skill.name);
    if (hiddenBy !== undefined) return { ...skill, hiddenBy };
    if (skill.isEnabled) nearest.set(skill.name, skill.path);
    return skill;
  });
}

function entryOf({ name, description, path, scope, isUnlisted }: ListedSkill): SkillEntry {
  return {
    name,
    description,
    path,
    ...(scope === "bundled" ? { isBundled: true } : {}),
    ...(isUnlisted ? { isUnlisted } : {}),
  };
}
