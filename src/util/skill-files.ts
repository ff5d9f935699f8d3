import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repositoryRoot } from "./git.ts";

/** A folder with instructions for one kind of work; `path` is its SKILL.md. */
export type SkillFile = { name: string; description: string; path: string };

const LONGEST_HEAD = 4000;

/** The skills for work in `cwd`, the nearest first: of the project's folders, then of the user. Names come once. */
export async function findSkills(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SkillFile[]> {
  const found = new Map<string, SkillFile>();
  for (const root of await rootsFor(cwd, env))
    for (const skill of await skillsIn(root)) if (!found.has(skill.name)) found.set(skill.name, skill);
  return [...found.values()];
}

async function rootsFor(
  cwd: string,
  { HOME, INTERPRETER_HOME }: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const top = (await repositoryRoot(cwd)) ?? cwd;
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(join(folder, ".openinterpreter/skills"), join(folder, ".agents/skills"));
    if (folder === top || dirname(folder) === folder) break;
  }
  const own = INTERPRETER_HOME ?? (HOME && join(HOME, ".openinterpreter"));
  return [...folders, ...(own ? [join(own, "skills")] : []), ...(HOME ? [join(HOME, ".agents/skills")] : [])];
}

async function skillsIn(root: string): Promise<SkillFile[]> {
  const names = (await readdir(root).catch(() => [])).filter((name) => !name.startsWith(".")).sort();
  const read = await Promise.all(names.map((folder) => skillAt(join(root, folder, "SKILL.md"), folder)));
  return read.filter((skill) => skill !== undefined);
}

async function skillAt(path: string, folder: string): Promise<SkillFile | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [, head = ""] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text.slice(0, LONGEST_HEAD)) ?? [];
  return { name: fieldOf(head, "name") ?? folder, description: fieldOf(head, "description") ?? "", path };
}

/** One line of the head; more of YAML is not needed to know a skill. */
function fieldOf(head: string, name: string): string | undefined {
  const line = head.split(/\r?\n/).find((one) => one.startsWith(`${name}:`));
  const value = line?.slice(name.length + 1).trim();
  return value?.replace(/^(["'])(.*)\1$/, "$2") || undefined;
}
