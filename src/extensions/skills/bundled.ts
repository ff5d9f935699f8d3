import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { factsOf } from "../../util/fs.ts";
import { shortHex } from "../../util/ids.ts";
import type { BundledPlace } from "./places.ts";

/** Of the texts; a test tells the new one when they have changed. Each has a folder of its own, so that two versions can run side by side. */
export const FINGERPRINT = "5046c528";

/** Names and descriptions as in the heads of the files, which need not be read for the list. */
const BUNDLED = {
  qa: 'Proves that an app works by using it in a browser or on the desktop. For tests of a user interface, "does the page work", screenshots.',
  "skill-creator":
    'Makes or improves a skill (SKILL.md). For "make a skill of this", "remember how we do X", or a skill that is not used when it should be.',
  "harness-author":
    "Makes or changes a harness of interpreter: the prompt and tools that a model sees. For models that use their tools badly.",
} as const;

/**
 * The skills that come with the program. They are in the executable, and models read files: the first time, they are
 * written below `home`. None when that can't be done, or must not be.
 */
export async function bundledSkills(home: string, mayWrite: boolean): Promise<BundledPlace[]> {
  const folder = join(home, "skills", ".system", FINGERPRINT);
  const isThere = factsOf(folder)?.isDirectory() === true || (mayWrite && (await writeBundled(folder)));
  if (!isThere) return [];
  return Object.entries(BUNDLED).map(([name, description]) => ({
    name,
    description,
    path: join(folder, name, "SKILL.md"),
  }));
}

/** All or nothing: another process that starts meanwhile must not see half a skill. */
async function writeBundled(folder: string): Promise<boolean> {
  const draft = `${folder}.${shortHex(8)}.tmp`;
  try {
    const { BUNDLED_FILES } = await import("./bundled/texts.ts");
    for (const [name, text] of Object.entries(BUNDLED_FILES)) {
      const file = join(draft, name);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, text, { mode: 0o600 });
    }
    await rename(draft, folder);
    return true;
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
    return factsOf(folder)?.isDirectory() === true;
  }
}
