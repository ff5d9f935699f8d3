import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder at or above `cwd` that holds `.git` (a folder, or the file of a linked worktree). Runs no git. */
export async function repositoryRoot(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
