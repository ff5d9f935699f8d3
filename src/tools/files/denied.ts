import { sep } from "node:path";
import { Glob } from "bun";
import type { SandboxPolicy } from "../../protocol/policy.ts";

/** Which paths below an allowed folder a policy hides all the same. Paths are real paths. */
export function hiddenBy(policy: SandboxPolicy): (path: string) => boolean {
  if (policy.mode !== "restricted") return () => false;
  const { read, deny } = policy;
  const paths = deny.filter((entry) => !isPattern(entry));
  const patterns = deny.filter(isPattern).map((entry) => new Glob(entry));
  return (path) => {
    if (read !== "everything" && !read.some((root) => isWithin(path, root) || isWithin(root, path)))
      return true;
    return paths.some((root) => isWithin(path, root)) || patterns.some((pattern) => pattern.match(path));
  };
}

/** Is `path` the folder `root` or something in it? */
export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function isPattern(entry: string): boolean {
  return /[*?[{]/.test(entry);
}
