import { constants, existsSync } from "node:fs";
import { mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../util/fs.ts";

/** Opens a folder without reading it; Node has no name for the flag. The same number on x64 and arm64. */
const O_PATH = 0x200000;
const OPEN_FILES = "/proc/self/fd";

/** A folder that names are looked up in; `path(name)` is good until `close`. */
export type PinnedFolder = { path(name: string): string; close(): Promise<void> };

/**
 * Holds on to a folder, so that a command which runs meanwhile can't put a link to somewhere else in its place between a
 * check and a write. `folder` is a real path; fails when a link has come to be part of it. `make`: make what is missing.
 */
export async function pinFolder(folder: string, make: boolean): Promise<PinnedFolder> {
  if (process.platform !== "linux" || !existsSync(OPEN_FILES)) return await checkedFolder(folder, make);
  const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    return await pin(folder, folder, flags);
  } catch (error) {
    if (!make || codeOf(error) !== "ENOENT" || dirname(folder) === folder) throw error;
  }
  const parent = await pinFolder(dirname(folder), make);
  try {
    const path = parent.path(basename(folder));
    await mkdir(path).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    return await pin(path, folder, flags);
  } finally {
    await parent.close();
  }
}

async function pin(path: string, folder: string, flags: number): Promise<PinnedFolder> {
  const handle = await open(path, flags);
  const here = join(OPEN_FILES, String(handle.fd));
  try {
    if ((await readlink(here)) !== folder) throw movedAway(folder);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { path: (name) => join(here, name), close: () => handle.close() };
}

/** Elsewhere a check just before the write has to do. */
async function checkedFolder(folder: string, make: boolean): Promise<PinnedFolder> {
  if (make) await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== folder) throw movedAway(folder);
  return { path: (name) => join(folder, name), close: async () => {} };
}

function movedAway(folder: string): Error {
  return new Error(`${folder} has become a symbolic link`);
}
