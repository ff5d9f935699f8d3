import { lstat, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Editor } from "../../protocol/editor.ts";
import { codeOf } from "../../util/fs.ts";
import { type Location, locate } from "../files/location.ts";
import { asOpen } from "../files/open-in-editor.ts";
import { osErrorText } from "../files/os-error.ts";
import { MAX_FILE_BYTES } from "../files/size-limit.ts";
import { readUtf8 } from "../files/text.ts";

/** What is or will be at a real path. `text` is undefined for what a patch can't edit: a link, a file that is not UTF-8. */
export type Node = { text?: string; mode?: number; notText?: string };
/** One path that will be different afterwards; undefined: nothing there. */
export type Operation = { path: string; before?: Node; after?: Node };
type Slot = { before?: Node; after?: Node };

/** The files as they will be: reads fall through to the disk, writes stay here until the whole patch is known to fit. */
export class Draft {
  readonly #slots = new Map<string, Slot>();
  readonly #editor: Editor | undefined;

  constructor(editor: Editor | undefined) {
    this.#editor = editor;
  }

  /** Where a path leads, seen through what the draft has changed so far. */
  async locate(path: string): Promise<Location> {
    const location = await locate(path);
    const slot = this.#slots.get(location.entry);
    const replaced = slot !== undefined && location.entry !== location.target;
    return replaced ? { entry: location.entry, target: location.entry } : location;
  }

  /** What is at a real path, or why it can't be read. Links are not followed. */
  async look(real: string): Promise<{ node: Node | undefined } | { problem: string }> {
    const slot = this.#slots.get(real);
    if (slot) return { node: slot.after };
    const found = await loadNode(real, this.#editor);
    if ("node" in found) this.#slots.set(real, { before: found.node, after: found.node });
    return found;
  }

  /** Call `look` for the same path first. */
  put(real: string, node: Node): void {
    this.#slots.set(real, { ...this.#slots.get(real), after: node });
  }

  /** Call `look` for the same path first. */
  remove(real: string): void {
    this.#slots.set(real, { before: this.#slots.get(real)?.before });
  }

  /** Why no file can be made at a real path: one of its folders is a file. */
  async folderProblem(real: string): Promise<string | undefined> {
    for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
      if (this.#slots.get(folder)?.after) return `${folder} is a file`;
      try {
        return (await lstat(folder)).isDirectory() ? undefined : `${folder} is not a folder`;
      } catch (error) {
        if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") return osErrorText(error);
      }
    }
    return undefined;
  }

  before(real: string): Node | undefined {
    return this.#slots.get(real)?.before;
  }

  /** Files to write first, then those to remove; what was only read is left out. */
  operations(): Operation[] {
    const changed = [...this.#slots]
      .filter(([, slot]) => slot.before !== slot.after)
      .map(([path, slot]) => ({ path, ...slot }));
    return [...changed.filter(({ after }) => after), ...changed.filter(({ after }) => !after)];
  }
}

async function loadNode(
  real: string,
  editor: Editor | undefined,
): Promise<{ node: Node | undefined } | { problem: string }> {
  try {
    const stats = await lstat(real);
    if (stats.isSymbolicLink()) return { node: {} };
    if (stats.isDirectory()) return { problem: "Is a directory (os error 21)" };
    if (!stats.isFile()) return { problem: "not a regular file" };
    if (stats.size > MAX_FILE_BYTES)
      return {
        node: {
          notText: `too large to change (${stats.size} bytes); change it by a command`,
          mode: stats.mode,
        },
      };
    return { node: { ...readUtf8(await asOpen(real, await readFile(real), editor)), mode: stats.mode } };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { node: undefined };
    if (code === undefined) throw error;
    return { problem: osErrorText(error) };
  }
}
