import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "../util/errors.ts";
import { codeOf, makePrivateFolder, writeFileAtomic } from "../util/fs.ts";
import { decodeText } from "./text.ts";
import { editToml } from "./toml-edit.ts";

/**
 * Sets one key of a config.toml, or removes it when `value` is undefined, and keeps comments and order. The file is
 * replaced in one step; a new one is readable by its owner only (0600), as is its folder (0700).
 */
export async function setKey(file: string, path: readonly string[], value: unknown): Promise<void> {
  // Another program may write at the same time; then the change is made again on top of what it wrote.
  for (let attempt = 0; attempt < 3; attempt++) {
    const before = await contentOf(file);
    const text = before === undefined ? "" : decodeText(before, file);
    const mark = before !== undefined && before[0] === 0xef ? "\ufeff" : "";
    const edited = editToml(text, path, value, file);
    const now = await contentOf(file);
    if (!Bun.deepEquals(before, now)) continue;
    makePrivateFolder(dirname(file));
    await writeFileAtomic(file, mark + edited);
    return;
  }
  throw new AppError("config", `${file}: another program keeps changing this file`, { hint: "try again" });
}

async function contentOf(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw new AppError("config", `${file}: cannot be read (${codeOf(cause) ?? cause})`, { cause });
  }
}
