import { lstat, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Editor } from "../../protocol/editor.ts";
import { pinFolder } from "./pinned-folder.ts";
import { saveFile } from "./save.ts";
import { readUtf8 } from "./text.ts";
import { splitLines, usualEnd } from "./text-lines.ts";

/** What a file holds for the person who works on it: the unsaved text of their editor, else the bytes on the disk. */
export async function asOpen(
  path: string,
  onDisk: Uint8Array,
  editor: Editor | undefined,
): Promise<Uint8Array> {
  if (!editor?.read || onDisk.includes(0)) return onDisk;
  const saved = readUtf8(onDisk);
  if ("notText" in saved) return onDisk;
  const open = await editor.read(path);
  return open === undefined || isSameText(open, saved.text)
    ? onDisk
    : Buffer.from(inStyleOf(saved.text, open));
}

/** Writes a whole file, through the editor where that leaves the same file behind. `path` is a real path. */
export async function saveOpen(
  path: string,
  text: string,
  { editor, mode }: { editor: Editor | undefined; mode?: number | undefined },
): Promise<void> {
  if (editor?.write && (await written(editor.write.bind(editor), path, text, mode))) return;
  await saveFile(path, text, mode);
}

/** Editors follow links and know no modes: they get only what is plain, and what they did is looked at. */
async function written(
  write: NonNullable<Editor["write"]>,
  path: string,
  text: string,
  mode: number | undefined,
): Promise<boolean> {
  const before = await plainFile(path);
  if (before === "other" || (mode !== undefined && permissions(before?.mode) !== permissions(mode)))
    return false;
  if (!(await write(path, text))) return false;
  const after = await plainFile(path);
  if (after === undefined || after === "other") return false;
  // An editor that formats what it saves has the last word; one that did not save at all has not.
  return isSameText(after.text, text) || after.text !== before?.text;
}

/** The file at a real path; "other" for what is not a file. Makes its folders. Fails when one of them has become a link. */
async function plainFile(path: string): Promise<{ text: string; mode: number } | "other" | undefined> {
  const folder = await pinFolder(dirname(path), true);
  try {
    const entry = folder.path(basename(path));
    const there = await lstat(entry).catch(() => undefined);
    if (there === undefined) return undefined;
    return there.isFile() ? { text: await readFile(entry, "utf8"), mode: there.mode } : "other";
  } finally {
    await folder.close();
  }
}

function permissions(mode: number | undefined): number | undefined {
  return mode === undefined ? undefined : mode & 0o7777;
}

/** Editors keep line ends and byte order marks apart from the text. */
function isSameText(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

function inStyleOf(saved: string, open: string): string {
  const isCrlf = usualEnd(splitLines(saved).ends) === "\r\n" && !open.includes("\r");
  const text = isCrlf ? open.replaceAll("\n", "\r\n") : open;
  return saved.startsWith("\uFEFF") && !text.startsWith("\uFEFF") ? `\uFEFF${text}` : text;
}
