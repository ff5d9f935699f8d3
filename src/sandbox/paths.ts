import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { codeOf } from "../util/fs.ts";

/** Is `path` the folder itself or something below it? Both absolute and without `..`. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === sep || path.startsWith(folder + sep);
}

/** Undefined when nothing is there, or nothing that we may see. */
export function realPathOf(path: string): string | undefined {
  return ifThere(() => realpathSync(path));
}

/** Facts about the name itself, not about what a link points to. Undefined when nothing is there. */
export function entryAt(path: string): Stats | undefined {
  return ifThere(() => lstatSync(path));
}

/** The folders strictly between the two, outermost first. */
export function foldersBetween(outer: string, inner: string): string[] {
  const found: string[] = [];
  for (let at = dirname(inner); at !== outer && isWithin(at, outer); at = dirname(at)) found.unshift(at);
  return found;
}

const MOST_LINKS = 40;

/**
 * The first symbolic link on the way to `path`, its last part included, that lies in one of the `writable` folders: a
 * command can put something else in its place. Undefined when there is none. All paths are absolute; `writable` are real.
 */
export function replaceableLink(path: string, writable: readonly string[]): string | undefined {
  let rest = path.split(sep).filter((part) => part !== "");
  let at: string = sep;
  for (let links = 0; rest.length > 0; ) {
    const [part = "", ...others] = rest;
    const next = join(at, part);
    rest = others;
    if (entryAt(next)?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    if (writable.some((folder) => isWithin(at, folder))) return next;
    if (++links > MOST_LINKS) return next;
    const target = readlinkSync(next);
    if (isAbsolute(target)) at = sep;
    rest = [...target.split(sep).filter((name) => name !== ""), ...rest];
  }
  return undefined;
}

function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "ELOOP") return undefined;
    throw cause;
  }
}
