import { dirname, join, relative, sep } from "node:path";
import { PROJECT_SKILLS } from "../../config/paths.ts";

/** What may hold skills, and how far it is trusted. */
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
  /** The skills that come with the program, if they are wanted. */
  bundled?: readonly BundledPlace[];
};
export type SkillRule = { path?: string | undefined; name?: string | undefined; enabled: boolean };
/** A skill whose head is known without reading it. */
export type BundledPlace = { name: string; description: string; path: string };

export type SkillScope = "project" | "user" | "bundled";
/** A folder of skills. `within`: nothing of it may lie outside this folder, whatever links say. */
export type SkillRoot = { path: string; scope: "project" | "user"; within?: string };

/** The folders to look in, the nearest first. The user's own folders are not part of a project that they lie in. */
export function skillRoots({ home, personHome, cwd, projectRoot }: SkillPlaces): SkillRoot[] {
  const own = [join(home, "skills"), ...(personHome ? [join(personHome, ".agents/skills")] : [])];
  const project = foldersUp(projectRoot, cwd)
    .flatMap((folder) => PROJECT_SKILLS.map((name) => join(folder, name)))
    .filter((path) => !own.includes(path));
  return [
    ...project.map((path) => ({ path, scope: "project" as const, within: projectRoot })),
    ...own.map((path) => ({ path, scope: "user" as const })),
  ];
}

function foldersUp(root: string, cwd: string): string[] {
  const way = relative(root, cwd);
  if (way.startsWith("..")) return [cwd];
  const steps = way === "" ? 0 : way.split(sep).length;
  const folders = [cwd];
  for (let step = 0; step < steps; step += 1) folders.push(dirname(folders.at(-1) ?? root));
  return folders;
}
