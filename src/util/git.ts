import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder at or above `folder` that holds `.git` (a folder, or the file of a linked worktree). Runs no git. */
export function repositoryRoot(folder: string): string | undefined {
  return nearestFolderWith([".git"], folder);
}

/** The nearest folder at or above `folder` that holds an entry with one of these names; undefined when there is none. */
export function nearestFolderWith(names: readonly string[], folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (names.some((name) => existsSync(join(at, name)))) return at;
    if (dirname(at) === at) return undefined;
  }
}
