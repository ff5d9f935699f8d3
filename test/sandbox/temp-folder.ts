import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type TempFolder = AsyncDisposable & {
  /** A real path. */
  path: string;
  /** Creates a folder, a file with this text, or a link; returns its path. */
  folder(name: string): Promise<string>;
  file(name: string, text?: string): Promise<string>;
  link(name: string, target: string): Promise<string>;
};

export async function tempFolder(parent = tmpdir()): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(parent, "sandbox-test-")));
  const at = async (name: string) => {
    const full = join(path, name);
    await mkdir(dirname(full), { recursive: true });
    return full;
  };
  return {
    path,
    async folder(name) {
      const full = await at(name);
      await mkdir(full, { recursive: true });
      return full;
    },
    async file(name, text = "") {
      const full = await at(name);
      await writeFile(full, text);
      return full;
    },
    async link(name, target) {
      const full = await at(name);
      await symlink(target, full);
      return full;
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
