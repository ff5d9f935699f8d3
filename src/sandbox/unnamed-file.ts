import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../util/errors.ts";
import { shortHex } from "../util/ids.ts";

/**
 * An open descriptor from which a child can read the bytes once, from the beginning. The file has no name any more when
 * this returns. `folders` are tried in order; commands must not be able to write to them, or one that runs already could
 * change the bytes of the next.
 */
export function openUnnamed(bytes: Uint8Array, folders: readonly string[]): number {
  let cause: unknown;
  for (const folder of folders) {
    const path = join(folder, `.interpreter-${shortHex(16)}`);
    try {
      const fd = openSync(path, "wx+", 0o600);
      unlinkSync(path);
      return filled(fd, bytes);
    } catch (failure) {
      cause = failure;
    }
  }
  const message = `the sandbox can't write its rules to ${folders.join(" or ")}`;
  throw new AppError("sandbox.unavailable", message, { hint: "make one of these folders writable", cause });
}

function filled(fd: number, bytes: Uint8Array): number {
  try {
    // At a position: that leaves the descriptor's own position at the start, where the child begins to read.
    const written = writeSync(fd, bytes, 0, bytes.length, 0);
    if (written === bytes.length) return fd;
    throw new Error("the disk is full");
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
}
