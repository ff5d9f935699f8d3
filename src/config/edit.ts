import { open, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError, machineFault } from "../util/errors.ts";
import { codeOf, makePrivateFolder, writeFileAtomic } from "../util/fs.ts";
import { decodeText } from "./text.ts";
import { editToml } from "./toml-edit.ts";

/**
 * Sets one key of a config.toml, or removes it when `value` is undefined, and keeps comments and order. The file is
 * replaced in one step; a new one is readable by its owner only (0600), as is its folder (0700).
 */
export async function setKey(file: string, path: readonly string[], value: unknown): Promise<void> {
  const target = await realpath(file).catch(() => file);
  try {
    makePrivateFolder(dirname(file));
    await alone(`${target}.lock`, async () => {
      const before = await contentOf(file);
      const text = before === undefined ? "" : decodeText(before, file);
      const mark = before?.[0] === 0xef ? "\ufeff" : "";
      await writeFileAtomic(file, mark + editToml(text, path, value, file));
    });
  } catch (cause) {
    throw machineFault(cause) === undefined ? cause : unwritable(target, cause);
  }
}

const WAIT_MS = 20;
/** An edit takes a few milliseconds: an older lock was left behind by a program that was killed. */
const ABANDONED_MS = 5000;

/** Runs `work` while no other process edits the same file: two edits at the same time would lose one. */
async function alone(lock: string, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await (await open(lock, "wx", 0o600)).close();
      break;
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw unwritable(lock, cause);
      const age = Date.now() - ((await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now());
      if (age > ABANDONED_MS) await rm(lock, { force: true });
      else await Bun.sleep(WAIT_MS);
    }
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

function unwritable(file: string, cause: unknown): AppError {
  const why = machineFault(cause) ?? codeOf(cause) ?? String(cause);
  return new AppError("config", `${dirname(file)}: settings cannot be saved here: ${why}`, {
    hint: "make room there, make the folder writable, or choose another one with INTERPRETER_HOME",
    cause,
  });
}

async function contentOf(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw new AppError("config", `${file}: cannot be read (${codeOf(cause) ?? cause})`, { cause });
  }
}
