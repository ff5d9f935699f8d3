import { dirname, join, resolve } from "node:path";
import { readOrdinaryTextNow } from "../util/fs.ts";
import { repositoryRoot } from "../util/git.ts";

/**
 * What a `.git` file leads to: the folder after `gitdir:`, and the repository folder that this one shares, if it names
 * one. As written, not resolved.
 */
export function pointedFolders(gitFile: string): string[] {
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(gitFile))?.[1];
  if (target === undefined) return [];
  const folder = resolve(dirname(gitFile), target);
  const common = textOf(join(folder, "commondir")).trim();
  return common === "" ? [folder] : [folder, resolve(folder, common)];
}

/** Is one of the folders above this one a repository? */
export function isBelowRepository(folder: string): boolean {
  const parent = dirname(folder);
  return parent !== folder && repositoryRoot(parent) !== undefined;
}

/** Bytes of a file that holds a path. */
const LONGEST_PATH = 64 * 1024;

function textOf(file: string): string {
  return readOrdinaryTextNow(file, LONGEST_PATH) ?? "";
}
