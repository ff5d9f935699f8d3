import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { AppError } from "../util/errors.ts";
import { entryAt, isWithin, realPathOf, replaceableLink } from "./paths.ts";

/** `fixed`: the folder below which names were looked for; undefined for an entry that was named itself. */
export type DeniedPath = { path: string; isFolder: boolean; fixed?: string };

const MOST_MATCHES = 8192;

/**
 * The real paths that the entries of a policy's `deny` mean right now. Throws AppError "sandbox.unavailable" when a rule
 * can't be kept: too many matches, a search through the whole disk, or a path that a command could bend.
 */
export async function deniedPaths(
  deny: readonly string[],
  writable: readonly string[],
): Promise<DeniedPath[]> {
  const found = new Map<string, DeniedPath>();
  for (const entry of deny) {
    if (!isPattern(entry)) {
      refuseReplaceable(entry, writable);
      note(found, entry);
      continue;
    }
    const { folder, pattern } = splitPattern(entry);
    if (folder === sep) throw cannotDeny(entry, "would search the whole disk", "start it with a folder");
    refuseReplaceable(folder, writable);
    const fixed = realPathOf(folder);
    if (fixed === undefined) continue;
    for await (const match of matches(fixed, pattern)) {
      note(found, match, fixed);
      if (found.size > MOST_MATCHES) {
        throw cannotDeny(entry, `matches more than ${MOST_MATCHES} files`, "use a narrower pattern");
      }
    }
  }
  return [...found.values()];
}

/** Does a rule of a policy's `deny` cover this real path, itself or through a folder above it? For tools of our own. */
export function isDenied(path: string, deny: readonly string[]): boolean {
  return deny.some((entry) => {
    if (!isPattern(entry)) return isWithin(path, realPathOf(entry) ?? entry);
    const glob = new Bun.Glob(entry);
    for (let at = path; dirname(at) !== at; at = dirname(at)) if (glob.match(at)) return true;
    return false;
  });
}

/** A folder's path as the fixed beginning of a pattern. */
export function escapePattern(folder: string): string {
  return folder.replace(/[*?[\]{}!\\]/g, "\\$&");
}

/** A name with such characters that exists is that name. */
function isPattern(entry: string): boolean {
  return isMagic(entry) && entryAt(entry) === undefined;
}

/** Does the text hold a character with a meaning in patterns that is not escaped? */
export function isMagic(text: string): boolean {
  return /[*?[{]/.test(text.replace(/\\./g, ""));
}

function splitPattern(entry: string): { folder: string; pattern: string } {
  const parts = entry.split(sep);
  const first = parts.findIndex(isMagic);
  const folder = parts.slice(0, first).join(sep).replace(/\\(.)/g, "$1");
  return { folder: folder === "" ? sep : folder, pattern: parts.slice(first).join(sep) };
}

/** Links are not followed. A folder that we can't look into counts as a match: its owner could open it again. */
async function* matches(folder: string, pattern: string): AsyncGenerator<string> {
  const glob = new Bun.Glob(pattern);
  const waiting = [""];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) yield join(folder, below);
    for (const entry of entries ?? []) {
      const name = join(below, entry.name);
      if (glob.match(name)) yield join(folder, name);
      else if (entry.isDirectory()) waiting.push(name);
    }
  }
}

/** A link is denied by denying what it leads to. */
function note(found: Map<string, DeniedPath>, path: string, fixed?: string): void {
  const real = realPathOf(path);
  if (real === undefined || (found.has(real) && fixed !== undefined)) return;
  const isFolder = statSync(real).isDirectory();
  found.set(real, { path: real, isFolder, ...(fixed === undefined ? {} : { fixed }) });
}

function refuseReplaceable(path: string, writable: readonly string[]): void {
  const link = replaceableLink(path, writable);
  if (link === undefined) return;
  throw cannotDeny(
    path,
    `goes through ${link}, a symbolic link that commands can replace`,
    "name the real path",
  );
}

function cannotDeny(entry: string, problem: string, hint: string): AppError {
  return new AppError("sandbox.unavailable", `the sandbox can't keep ${entry} unreadable: it ${problem}`, {
    hint,
  });
}
