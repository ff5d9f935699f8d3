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
  return ifThere(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** The folders strictly between the two, outermost first. */
export function foldersBetween(outer: string, inner: string): string[] {
  const found: string[] = [];
  for (let at = dirname(inner); at !== outer && isWithin(at, outer); at = dirname(at)) found.unshift(at);
  return found;
}

export type Link = { path: string; target: string };

const MOST_LINKS = 40;

/** The symbolic links on the way to an absolute path, its last part included. In a circle of links the list is cut. */
export function linksOnTheWay(path: string): Link[] {
  const links: Link[] = [];
  let at: string = sep;
  let rest = parts(path);
  while (rest.length > 0) {
    const [part = "", ...others] = rest;
    const next = join(at, part);
    rest = others;
    if (entryAt(next)?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    const target = readlinkSync(next);
    links.push({ path: next, target });
    if (links.length > MOST_LINKS) break;
    if (isAbsolute(target)) at = sep;
    rest = [...parts(target), ...rest];
  }
  return links;
}

/**
 * The first of those links that lies in one of the `writable` folders, which are real: a command can put something else
 * in its place. Undefined when there is none.
 */
export function replaceableLink(path: string, writable: readonly string[]): string | undefined {
  const links = linksOnTheWay(path);
  if (links.length > MOST_LINKS) return path;
  // All parts above a link were resolved before it, so its path is real up to its own name.
  return links.find((link) => writable.some((folder) => isWithin(dirname(link.path), folder)))?.path;
}

function parts(path: string): string[] {
  return path.split(sep).filter((part) => part !== "");
}

function ifThere<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "ELOOP") return undefined;
    throw cause;
  }
}
