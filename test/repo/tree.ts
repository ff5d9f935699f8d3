import { join } from "node:path";
import { Glob } from "bun";

export const ROOT = join(import.meta.dir, "..", "..");

/** Files of the repository, relative to its root: everything but what .gitignore leaves out. */
export async function repositoryFiles(root = ROOT): Promise<string[]> {
  const files: string[] = [];
  for await (const file of new Glob("**/*").scan({ cwd: root, dot: true })) {
    if (!/(^|\/)(\.git|node_modules)(\/|$)|^(dist|\.tools)\/|\.bun-build$/.test(file)) files.push(file);
  }
  return files.sort();
}
