import { constants } from "node:fs";
import { chmod, chown, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { codeOf } from "../../util/fs.ts";
import { shortHex } from "../../util/ids.ts";
import { type PinnedFolder, pinFolder } from "./pinned-folder.ts";

/** The folder takes no new file, or the file can't be replaced (a mount point): then it is rewritten where it is. */
const NOT_REPLACEABLE = new Set(["EACCES", "EPERM", "EROFS", "EBUSY", "ENOTSUP", "ENAMETOOLONG"]);

/**
 * Writes a whole file so that a reader sees the old or the new text, never half of one. `path` is a real path: the call
 * fails when one of its folders has become a link since, and a link in the place of the file is replaced, not followed.
 * Missing folders are made; mode and owner are kept, or `mode` is set.
 */
export async function saveFile(path: string, text: string, mode?: number): Promise<void> {
  const folder = await pinFolder(dirname(path), true);
  try {
    await saveIn(folder, basename(path), text, mode);
  } finally {
    await folder.close();
  }
}

async function saveIn(folder: PinnedFolder, name: string, text: string, mode?: number): Promise<void> {
  const there = await lstat(folder.path(name)).catch(() => undefined);
  const old = there?.isFile() ? there : undefined;
  try {
    await replace(folder, name, text, { mode: mode ?? old?.mode, uid: old?.uid, gid: old?.gid });
  } catch (error) {
    if (!old || !NOT_REPLACEABLE.has(codeOf(error) ?? "")) throw error;
    await rewrite(folder.path(name), text, mode);
  }
}

type Attributes = { mode: number | undefined; uid: number | undefined; gid: number | undefined };

async function replace(
  folder: PinnedFolder,
  name: string,
  text: string,
  { mode, uid, gid }: Attributes,
): Promise<void> {
  const temporary = folder.path(`.${name}.${shortHex(8)}.tmp`);
  const file = await open(temporary, "wx", 0o666);
  try {
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    if (uid !== undefined && gid !== undefined && (uid !== process.getuid?.() || gid !== process.getgid?.()))
      await chown(temporary, uid, gid).catch(() => undefined);
    if (mode !== undefined) await chmod(temporary, mode & 0o7777);
    await rename(temporary, folder.path(name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function rewrite(path: string, text: string, mode?: number): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  try {
    await file.writeFile(text);
    if (mode !== undefined) await file.chmod(mode & 0o7777);
  } finally {
    await file.close();
  }
}
