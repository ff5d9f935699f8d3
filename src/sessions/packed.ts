import { readFile, rm } from "node:fs/promises";
import { AppError, toAppError } from "../util/errors.ts";
import { writeFileAtomic } from "../util/fs.ts";

const ENDING = ".zst";

/** Has another program packed the session, as it rested for a week? */
export function isPacked(path: string): boolean {
  return path.endsWith(ENDING);
}

/** The path that the file has once it is unpacked. */
export function unpackedName(path: string): string {
  return path.slice(0, -ENDING.length);
}

/** The same file, as plain text from now on: who goes on with a session appends to it. Throws AppError "session.corrupt". */
export async function unpacked<F extends { path: string }>(file: F): Promise<F> {
  if (!isPacked(file.path)) return file;
  const path = unpackedName(file.path);
  try {
    await writeFileAtomic(path, await Bun.zstdDecompress(await readFile(file.path)), { mode: 0o600 });
  } catch (cause) {
    throw new AppError("session.corrupt", `${file.path} can't be unpacked: ${toAppError(cause).message}`, {
      hint: "start a new session; move this file away if you need what is left of it",
      cause,
    });
  }
  await rm(file.path, { force: true }).catch(() => undefined);
  return { ...file, path };
}
