import { access, constants, lstat, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Editor } from "../../protocol/editor.ts";
import { codeOf } from "../../util/fs.ts";
import { saveOpen } from "../files/open-in-editor.ts";
import { osErrorText } from "../files/os-error.ts";
import { pinFolder } from "../files/pinned-folder.ts";
import type { Operation } from "./draft.ts";

/**
 * Does what a plan says. Nothing is written when a file can't be; when the disk fails in the middle, the problem's text
 * names what has been changed already.
 */
export async function commit(
  operations: readonly Operation[],
  editor?: Editor,
): Promise<{ problem?: string }> {
  for (const { path, before, after } of operations) {
    if (before?.text === undefined || !after) continue;
    const refusal = await access(path, constants.W_OK).catch((error: unknown) => error);
    // The file may have gone since, or be a link to nothing: writing decides.
    if (refusal && codeOf(refusal) !== "ENOENT") return { problem: failure("write", path, refusal, []) };
  }
  const done: string[] = [];
  for (const operation of operations) {
    const { path, after } = operation;
    try {
      if (after) await saveOpen(path, after.text ?? "", { editor, mode: after.mode });
      else await remove(path, done);
    } catch (error) {
      return { problem: failure(after ? "write" : "delete", path, error, done) };
    }
    done.push(path);
  }
  return {};
}

/** Where upper and lower case are the same, a file moved to another spelling of its name is still the same file. */
async function remove(path: string, written: readonly string[]): Promise<void> {
  const folder = await pinFolder(dirname(path), false);
  try {
    const entry = folder.path(basename(path));
    const { dev, ino } = await lstat(entry);
    for (const other of written) {
      const there = await lstat(other).catch(() => undefined);
      if (there?.dev === dev && there.ino === ino) return;
    }
    await unlink(entry);
  } finally {
    await folder.close();
  }
}

function failure(verb: "write" | "delete", path: string, error: unknown, done: readonly string[]): string {
  const already = done.length > 0 ? `\nAlready changed: ${done.join(", ")}` : "";
  return `Failed to ${verb} file ${path}: ${osErrorText(error)}${already}`;
}
