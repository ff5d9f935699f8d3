import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import ignore, { type Ignore } from "ignore";
import { readOrdinaryText } from "./fs.ts";
import { repositoryRoot } from "./git.ts";

export type WalkedEntry = {
  /** Below the root as it was given. */
  path: string;
  /** Relative to the root, with forward slashes. */
  relative: string;
  kind: "file" | "folder" | "link" | "other";
  /** Left out by an ignore file: such an entry is only reported with `reportIgnored`, and never entered. */
  ignored: boolean;
};

export type WalkOptions = {
  /** 1: only the entries of the root itself. */
  maxDepth?: number;
  /** The walk ends after this many entries, reported or not. */
  maxEntries?: number;
  reportIgnored?: boolean;
  /** Ignore files don't count; closed folders stay closed. */
  includeIgnored?: boolean;
  /** Neither reported nor entered. */
  skip?: (path: string) => boolean;
};

/** Folders that hold no work of the user's; entered only when they are the root. */
export const CLOSED_FOLDERS: readonly string[] = [
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  ".venv",
  "__pycache__",
];

/** Rules of one folder's ignore files, for paths relative to that folder. */
type Rules = { base: string; git: Ignore | undefined; own: Ignore | undefined };
type Folder = { path: string; relative: string; depth: number; rules: readonly Rules[] };

/**
 * Everything below a folder, a folder's entries in the order of their names and each folder's content right after it.
 * Follows .gitignore (also above the root, up to the repository's top) and .ignore; links are reported, not followed.
 */
export async function* walk(
  root: string,
  options: WalkOptions,
  signal: AbortSignal,
): AsyncGenerator<WalkedEntry> {
  let left = options.maxEntries ?? 50_000;
  const pending: (Folder | WalkedEntry)[] = [
    { path: root, relative: "", depth: 0, rules: await rulesAbove(root) },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (!("depth" in next)) {
      yield next;
      continue;
    }
    signal.throwIfAborted();
    const entries = (await entriesOf(next.path)).slice(0, left);
    left -= entries.length;
    const rules = await withRulesOf(next, entries);
    const found = entries.flatMap((dirent) => entryAndFolder(dirent, next, rules, options));
    // The last entry goes on the stack first; a folder's content lies below its own entry.
    pending.push(...found.reverse());
  }
}

function entryAndFolder(
  dirent: Dirent,
  parent: Folder,
  rules: readonly Rules[],
  { maxDepth = 64, reportIgnored = false, includeIgnored = false, skip = () => false }: WalkOptions,
): (Folder | WalkedEntry)[] {
  const path = join(parent.path, dirent.name);
  if (skip(path)) return [];
  const kind = kindOf(dirent);
  const closed = kind === "folder" && CLOSED_FOLDERS.includes(dirent.name);
  const ignored = closed || (!includeIgnored && isIgnored(path, kind, rules));
  if (ignored && !reportIgnored) return [];
  const inner = parent.relative === "" ? dirent.name : `${parent.relative}/${dirent.name}`;
  const entry: WalkedEntry = { path, relative: inner, kind, ignored };
  const depth = parent.depth + 1;
  return kind === "folder" && !ignored && depth < maxDepth
    ? [entry, { path, relative: inner, depth, rules }]
    : [entry];
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  // A folder that can't be read is an empty one: a walk is about what can be seen.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function kindOf(dirent: Dirent): WalkedEntry["kind"] {
  if (dirent.isSymbolicLink()) return "link";
  if (dirent.isDirectory()) return "folder";
  return dirent.isFile() ? "file" : "other";
}

async function rulesAbove(root: string): Promise<Rules[]> {
  const top = repositoryRoot(root);
  if (top === undefined || top === root) return [];
  const rules: Rules[] = [];
  for (let at = dirname(root); ; at = dirname(at)) {
    rules.unshift(...(await rulesIn(at, [".gitignore", ".ignore"])));
    if (at === top) return rules;
  }
}

async function withRulesOf(folder: Folder, entries: readonly Dirent[]): Promise<readonly Rules[]> {
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const own = await rulesIn(folder.path, names);
  // A repository inside another one is not subject to the outer one's rules.
  const nested = entries.some(({ name }) => name === ".git");
  const outer = nested ? folder.rules.map((rules) => ({ ...rules, git: undefined })) : folder.rules;
  return own.length === 0 && !nested ? folder.rules : [...outer, ...own];
}

/** Bytes. */
const LONGEST_RULES = 1024 * 1024;

async function rulesIn(folder: string, names: readonly string[]): Promise<Rules[]> {
  const read = async (name: string) => {
    if (!names.includes(name)) return undefined;
    const text = await readOrdinaryText(join(folder, name), LONGEST_RULES);
    return text === undefined ? undefined : ignore().add(text);
  };
  const git = await read(".gitignore");
  const own = await read(".ignore");
  return git || own ? [{ base: folder, git, own }] : [];
}

/** The nearest rule that says anything about a path decides; .ignore goes before .gitignore. */
function isIgnored(path: string, kind: WalkedEntry["kind"], rules: readonly Rules[]): boolean {
  const slash = kind === "folder" ? "/" : "";
  for (const source of ["own", "git"] as const)
    for (const rule of rules.toReversed()) {
      const verdict = rule[source]?.test(relative(rule.base, path).replaceAll("\\", "/") + slash);
      if (verdict?.ignored) return true;
      if (verdict?.unignored) return false;
    }
  return false;
}
