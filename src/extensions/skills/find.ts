import { existsSync } from "node:fs";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { SkillEntry } from "../../tools/types.ts";

export type SkillPlaces = {
  /** The program's own folder of the user, and the user's home folder. */
  home: string;
  personHome: string | undefined;
  cwd: string;
  /** cwd or one of its parents. */
  projectRoot: string;
  /** Skills of a project count only when it is trusted: a repository must not instruct the model unasked. */
  isTrusted: boolean;
  /** What the user has switched on or off, by name or by path; the last that fits counts. */
  rules: readonly SkillRule[];
};
export type SkillRule = { path?: string | undefined; name?: string | undefined; enabled: boolean };
export type FoundSkills = { skills: SkillEntry[]; warnings: string[] };

const MOST_DEPTH = 6;
const MOST_FOLDERS = 2000;
const LONGEST_FILE = 1024 * 1024;

/** The skills for work in `cwd`, the nearest first. Of a name that comes twice, the nearest counts. */
export async function findSkills(places: SkillPlaces): Promise<FoundSkills> {
  const { own, project } = rootsOf(places);
  const warnings: string[] = [];
  const found: SkillEntry[] = [];
  const seen = new Set<string>();
  for (const root of [...(places.isTrusted ? project : []), ...own]) {
    for (const path of await skillFiles(root)) {
      const real = await realpath(path).catch(() => path);
      if (seen.has(real)) continue;
      seen.add(real);
      const read = await skillAt(path);
      if ("problem" in read) warnings.push(`the skill ${path} was left out: ${read.problem}`);
      else if (isEnabled(read, places.rules)) found.push(read);
    }
  }
  if (!places.isTrusted && project.some((root) => existsSync(root)))
    warnings.push("the skills of this project were not read: the project is not trusted");
  return { skills: firstOfEachName(found), warnings };
}

function rootsOf({ home, personHome, cwd, projectRoot }: SkillPlaces): { own: string[]; project: string[] } {
  const folders = foldersUp(projectRoot, cwd);
  return {
    own: [join(home, "skills"), ...(personHome ? [join(personHome, ".agents/skills")] : [])],
    project: folders.flatMap((folder) => [
      join(folder, ".openinterpreter/skills"),
      join(folder, ".agents/skills"),
    ]),
  };
}

function foldersUp(root: string, cwd: string): string[] {
  const way = relative(root, cwd);
  if (way.startsWith("..")) return [cwd];
  const steps = way === "" ? 0 : way.split(sep).length;
  const folders = [cwd];
  for (let step = 0; step < steps; step += 1) folders.push(dirname(folders.at(-1) ?? root));
  return folders;
}

/** The SKILL.md files below the folder. A skill's own folders are not searched for further ones. */
async function skillFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  let level = [root];
  let looked = 0;
  for (let depth = 0; depth <= MOST_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      looked += 1;
      if (looked > MOST_FOLDERS) return files;
      const file = join(folder, "SKILL.md");
      if (depth > 0 && (await isFile(file))) files.push(file);
      else next.push(...(await foldersIn(folder)));
    }
    level = next;
  }
  return files;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()))
    .map((entry) => join(folder, entry.name))
    .sort();
}

async function isFile(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  return facts?.isFile() === true && facts.size <= LONGEST_FILE;
}

async function skillAt(path: string): Promise<SkillEntry | { problem: string }> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return { problem: "it could not be read" };
  const { readFrontMatter } = await import("./front-matter.ts");
  const head = await readFrontMatter(text);
  if ("problem" in head) return head;
  const folder = dirname(path);
  return {
    name: head.name ?? folder.slice(folder.lastIndexOf(sep) + 1),
    description: head.description,
    path,
  };
}

function isEnabled({ name, path }: SkillEntry, rules: readonly SkillRule[]): boolean {
  const rule = rules.findLast((one) => one.name === name || one.path === path || one.path === dirname(path));
  return rule?.enabled ?? true;
}

function firstOfEachName(skills: readonly SkillEntry[]): SkillEntry[] {
  const byName = new Map<string, SkillEntry>();
  for (const skill of skills) if (!byName.has(skill.name)) byName.set(skill.name, skill);
  return [...byName.values()];
}
