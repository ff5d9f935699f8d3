import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { SandboxPolicy } from "../protocol/policy.ts";
import { isDenied } from "../sandbox/deny.ts";
import { pointedFolders } from "../sandbox/git-folders.ts";

/** May a tool of ours, which runs outside the sandbox, write to this absolute path? Judged on real paths. */
export function isWritable(path: string, policy: SandboxPolicy): boolean {
  if (policy.mode !== "restricted") return true;
  const real = realTarget(path);
  if (!policy.write.some((root) => isInside(real, realTarget(root)))) return false;
  if (isDenied(real, policy.deny)) return false;
  return !policy.protect.some((kept) =>
    [kept, ...repositoriesOf(kept)].some((it) => isInside(real, realTarget(it))),
  );
}

/** The `.git` of a worktree is a file; the repository that it leads to has the hooks. */
function repositoriesOf(kept: string): string[] {
  return basename(kept) === ".git" ? pointedFolders(kept) : [];
}

/** May a tool of ours read this absolute path? */
export function isReadable(path: string, policy: SandboxPolicy): boolean {
  return policy.mode !== "restricted" || !isDenied(realTarget(path), policy.deny);
}

/** The path with every existing part resolved; parts that do not exist yet are kept as written. */
function realTarget(path: string): string {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch {
      if (dirname(at) === at) return join(at, ...missing);
      missing.unshift(basename(at));
    }
  }
}

function isInside(path: string, root: string): boolean {
  const rest = relative(root, path);
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !rest.startsWith(sep));
}
