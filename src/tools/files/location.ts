import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { codeOf } from "../../util/fs.ts";

/** Where a path leads. `entry` and `target` are equal unless the path names a symbolic link. */
export type Location = {
  /** The directory entry itself: the folder's real path and the last name. */
  entry: string;
  /** What reading or writing through the path reaches; it need not exist. */
  target: string;
};

const MAX_LINKS = 40;

/** An absolute path for what a model wrote: relative to `cwd`, `~/` to the home folder. */
export function absolutePath(path: string, cwd: string, home?: string): string {
  if (home !== undefined && (path === "~" || path.startsWith("~/"))) return join(home, path.slice(1));
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

/** A path as it is shown: relative to `cwd` when it lies below it, else as it is. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}

/** The home folder of a call's environment. */
export function homeOf({ env: { HOME } }: { env: Readonly<Record<string, string>> }): string | undefined {
  return HOME;
}

/** Follows the links in an absolute path; folders that do not exist yet are taken as they are written. */
export async function locate(path: string): Promise<Location> {
  const entry = await entryOf(path);
  return { entry, target: await followLinks(entry) };
}

/** Every path that policy must allow before something is done through `location`. */
export function touched({ entry, target }: Location): string[] {
  return entry === target ? [entry] : [entry, target];
}

async function entryOf(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  return join(await realFolder(parent), basename(path));
}

async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    const parent = dirname(folder);
    if (parent === folder) return folder;
    // A dangling link in the middle of a path must not hide where a new folder would be made.
    return followLinks(join(await realFolder(parent), basename(folder)));
  }
}

async function followLinks(entry: string): Promise<string> {
  let at = entry;
  for (let n = 0; n < MAX_LINKS; n++) {
    const next = await linkTarget(at);
    if (next === undefined) return at;
    at = await entryOf(resolve(dirname(at), next));
  }
  return at;
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
