import { dirname, join, resolve } from "node:path";
import { readOrdinaryTextNow } from "../../util/fs.ts";

/** The branch, or the beginning of the commit, that is checked out at or above `cwd`; read without git. */
export function branchOf(cwd: string): string | undefined {
  for (let at = cwd; ; at = dirname(at)) {
    const head = headOf(join(at, ".git"));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? head.slice(0, 8);
    if (dirname(at) === at) return undefined;
  }
}

/** In a linked worktree `.git` is a file that names the folder. */
function headOf(git: string): string | undefined {
  const head = textOf(join(git, "HEAD"));
  if (head !== undefined) return head;
  const folder = /^gitdir: (.+)$/m.exec(textOf(git) ?? "")?.[1];
  return folder === undefined ? undefined : textOf(join(resolve(dirname(git), folder), "HEAD"));
}

/** Bytes. */
const LONGEST_FILE = 64 * 1024;

function textOf(path: string): string | undefined {
  return readOrdinaryTextNow(path, LONGEST_FILE)?.trim();
}
