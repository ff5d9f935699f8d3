import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import type { SkillRoot } from "./places.ts";

const MOST_DEPTH = 6;
const MOST_FOLDERS = 2000;
const MOST_ENTRIES = 20_000;
/** Bytes of a SKILL.md. */
export const LONGEST_SKILL = 1024 * 1024;
const LONGEST_HEAD = 16 * 1024;
/** A name with these could write to a terminal, or end a line of the list that the model reads. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** The SKILL.md files of a folder, and what was passed over, one line each for the user. */
export type Scan = { files: string[]; problems: string[] };

/**
 * Looks for skills below a root, within limits that a hostile folder can't stretch. A skill's own folders are not searched
 * for further ones. Links to folders are followed, except out of `within`, and each folder is entered once. Every start does
 * this, and for the few folders that there are, a thread would cost more than the waiting.
 */
export function scanSkills(root: SkillRoot): Scan {
  const scan: Scan = { files: [], problems: [] };
  const state: State = { root, scan, entered: new Set(), entries: 0 };
  let level = [root.path];
  for (let depth = 0; depth <= MOST_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if (!mayEnter(folder, state)) continue;
      const isSkill = depth > 0 && takeSkill(join(folder, "SKILL.md"), scan);
      if (!isSkill) next.push(...foldersIn(folder, state));
    }
    level = next;
  }
  return scan;
}

type State = { root: SkillRoot; scan: Scan; entered: Set<string>; entries: number };

function mayEnter(folder: string, { root, scan, entered, entries }: State): boolean {
  const real = attempt(() => realpathSync(folder));
  if (real === undefined || entered.has(real)) return false;
  if (entered.size >= MOST_FOLDERS || entries >= MOST_ENTRIES) {
    const text = `there is too much in ${root.path}: only the first skills of it were read`;
    if (!scan.problems.includes(text)) scan.problems.push(text);
    return false;
  }
  entered.add(real);
  if (root.within === undefined || isInside(real, realOrAsGiven(root.within))) return true;
  scan.problems.push(`${folder} was left out: it is a link that leads out of the project`);
  return false;
}

function realOrAsGiven(path: string): string {
  return attempt(() => realpathSync(path)) ?? path;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`));
}

function takeSkill(file: string, { files, problems }: Scan): boolean {
  const facts = attempt(() => lstatSync(file, { throwIfNoEntry: false }));
  if (facts === undefined) return false;
  if (!facts.isFile()) problems.push(`the skill ${file} was left out: it is not an ordinary file`);
  else if (facts.size > LONGEST_SKILL)
    problems.push(`the skill ${file} was left out: it is larger than 1 MiB`);
  else files.push(file);
  return true;
}

function foldersIn(folder: string, state: State): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  state.entries += entries.length;
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .filter(({ name }) => !name.startsWith(".") && !CONTROL.test(name))
    .map((entry) => join(folder, entry.name))
    .sort();
}

/** Undefined for what can't be read: nobody is helped by a folder that is not theirs. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The beginning of a file, where its head must be; undefined when it can't be read. */
export async function readHead(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, "r");
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(LONGEST_HEAD), position: 0 });
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return undefined;
  }
}

/** The name of the folder that a skill lies in. */
export function folderName(path: string): string {
  return basename(join(path, ".."));
}

const MOST_BESIDE = 500;

/** What lies in a skill's folder, at most 500 entries, in order. Links are named and not followed. */
export async function entriesBeside(folder: string): Promise<{ path: string; isLink: boolean }[]> {
  const found: { path: string; isLink: boolean }[] = [];
  const open = [folder];
  for (let at = open.shift(); at !== undefined && found.length < MOST_BESIDE; at = open.shift()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) open.push(path);
      else found.push({ path, isLink: entry.isSymbolicLink() });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MOST_BESIDE);
}
