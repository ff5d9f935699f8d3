import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../util/errors.ts";
import { codeOf, makePrivateFolder, writeFileAtomic } from "../../../util/fs.ts";
import type { Key } from "./types.ts";

/** Keeps a key in `<home>/.env`, in place of an earlier one of that name, and gives back the file. Only its owner can read it. */
export async function saveKey(home: string, { variable, value }: Key): Promise<string> {
  const file = join(home, ".env");
  try {
    makePrivateFolder(home);
    const before = await textOf(file);
    const own = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${variable}[ \\t]*=`);
    const kept = before.split(/\r?\n/).filter((line) => !own.test(line));
    while (kept.at(-1) === "") kept.pop();
    await writeFileAtomic(file, `${[...kept, `${variable}=${quoted(value)}`].join("\n")}\n`, { mode: 0o600 });
  } catch (cause) {
    throw new AppError("config", `${file}: the key can't be saved here (${codeOf(cause) ?? cause})`, {
      hint: `make the folder writable, or set ${variable} in the environment`,
      cause,
    });
  }
  return file;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return "";
    throw cause;
  }
}

function quoted(value: string): string {
  return /^[\w./:+=-]+$/.test(value) ? value : `"${value.replace(/[\\"]/g, "\\$&")}"`;
}
