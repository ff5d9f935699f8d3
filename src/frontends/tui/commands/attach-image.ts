import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { attachImage, insert } from "../input/composer.ts";
import type { Port } from "../port.ts";

/** Attaches the picture at a path; a path without a file stays as text. */
export async function attachPath(port: Port, written: string): Promise<void> {
  const bare = written.replace(/^(['"])(.*)\1$/, "$2").replace(/\\ /g, " ");
  const path = bare.startsWith("file://") ? fileURLToPath(bare) : resolve(port.cwd, bare);
  const found = await stat(path).catch(() => undefined);
  const { composer } = port.state;
  if (!found?.isFile()) {
    port.change({ composer: insert(composer, written) });
    return;
  }
  const { opened } = port.conversation;
  if (opened && !opened.takesImages) {
    port.change({ hint: `${opened.names.model} can't look at pictures; /model chooses another` });
    return;
  }
  port.change({ composer: attachImage(composer, path, `${basename(path)} ${sizeText(found.size)}`) });
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
