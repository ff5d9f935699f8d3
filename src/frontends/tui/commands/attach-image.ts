import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { attachImage, insert } from "../input/composer.ts";
import type { Port } from "../port.ts";

type Picture = { path: string; bytes: number };

/** Attaches the picture at a path, or at each of several; whatever is not the path of a file stays as text. */
export async function attachPath(port: Port, written: string): Promise<void> {
  const pictures = (await picturesAt([written], port.cwd)) ?? (await picturesAt(wordsIn(written), port.cwd));
  if (!pictures || refusesPictures(port)) {
    port.change({ composer: insert(port.state.composer, written) });
    return;
  }
  for (const { path, bytes } of pictures)
    port.change({
      composer: attachImage(port.state.composer, path, `${basename(path)} ${sizeText(bytes)}`),
    });
}

/** Says so when the model can't look at pictures. */
export function refusesPictures(port: Port): boolean {
  const { opened } = port.conversation;
  if (!opened || opened.takesImages) return false;
  port.change({ hint: `${opened.names.model} can't look at pictures; /model chooses another` });
  return true;
}

/** Undefined unless each of them is a file. */
async function picturesAt(paths: readonly string[], cwd: string): Promise<Picture[] | undefined> {
  const found = await Promise.all(paths.map((path) => pictureAt(path, cwd)));
  const pictures = found.filter((one) => one !== undefined);
  return pictures.length > 0 && pictures.length === found.length ? pictures : undefined;
}

async function pictureAt(written: string, cwd: string): Promise<Picture | undefined> {
  const unquoted = written.replace(/^(['"])(.*)\1$/, "$2");
  const bare = process.platform === "win32" ? unquoted : unquoted.replace(/\\(.)/g, "$1");
  try {
    const path = bare.startsWith("file://") ? fileURLToPath(bare) : resolve(cwd, bare);
    const facts = await stat(path);
    return facts.isFile() ? { path, bytes: facts.size } : undefined;
  } catch {
    return undefined;
  }
}

/** Terminals deliver several dropped files as words of a shell. */
function wordsIn(written: string): string[] {
  return written.match(/'[^']*'|"[^"]*"|(?:\\.|\S)+/g) ?? [];
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
