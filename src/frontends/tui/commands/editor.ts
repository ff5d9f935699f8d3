import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { composerOf } from "../input/composer.ts";
import type { Port } from "../port.ts";

/** Opens the draft in the user's editor. A failing editor leaves it as it was. */
export async function editDraft(port: Port): Promise<void> {
  const { env } = port.io;
  const program = env["VISUAL"] || env["EDITOR"] || (process.platform === "win32" ? "notepad" : "vi");
  const folder = await mkdtemp(join(tmpdir(), "interpreter-draft-"));
  const file = join(folder, "message.md");
  try {
    await writeFile(file, port.state.composer.draft.text, { mode: 0o600 });
    const code = await port.terminal.lend(() => runEditor(program, file, port.cwd));
    if (code !== 0) {
      port.change({ hint: `${program} ended with ${code}; the draft is as it was` });
      return;
    }
    const text = (await readFile(file, "utf8")).replace(/\n$/, "");
    port.change({ composer: composerOf(text, port.state.composer.attached) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Editors are often set with options (`code --wait`): the shell takes the words apart. */
async function runEditor(program: string, file: string, cwd: string): Promise<number | string> {
  const argv =
    process.platform === "win32" ? [program, file] : ["/bin/sh", "-c", `${program} "$1"`, "sh", file];
  try {
    return await Bun.spawn(argv, { cwd, stdio: ["inherit", "inherit", "inherit"] }).exited;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
