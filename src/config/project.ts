import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readOrdinaryTextNow } from "../util/fs.ts";
import { nearestFolderWith, repositoryRoot } from "../util/git.ts";

/** The nearest folder at or above `cwd` that holds one of the markers, or else `cwd`. */
export function findProjectRoot(cwd: string, markers: readonly string[]): string {
  return nearestFolderWith(markers, cwd) ?? cwd;
}

/** The folders from `root` down to `cwd`, both included. */
export function foldersBetween(root: string, cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root && dirname(folder) !== folder; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

/**
 * The folder of the Git checkout around `folder`; for a linked worktree the main checkout. A `.git` file can name any
 * repository, so it counts only if that repository knows the worktree.
 */
export function findCheckout(folder: string): string | undefined {
  const checkout = repositoryRoot(folder);
  if (checkout === undefined) return undefined;
  const gitFile = join(checkout, ".git");
  try {
    if (statSync(gitFile).isDirectory()) return checkout;
    // Anybody can have made this file: it may as well be a pipe.
    const named = /^gitdir:\s*(.+)/.exec(readOrdinaryTextNow(gitFile, LONGEST_PATH) ?? "")?.[1]?.trim();
    const worktree = named === undefined ? "" : resolve(checkout, named);
    const main = /^(.+)[/\\]\.git[/\\]worktrees[/\\][^/\\]+$/.exec(worktree)?.[1];
    if (main === undefined) return checkout;
    const back = resolve(
      worktree,
      (readOrdinaryTextNow(join(worktree, "gitdir"), LONGEST_PATH) ?? "").trim(),
    );
    return realPath(back) === realPath(gitFile) ? main : checkout;
  } catch {
    return checkout;
  }
}

/** Bytes of a file that holds a path. */
const LONGEST_PATH = 64 * 1024;

/** Without links where possible. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
