import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Port } from "../port.ts";
import { attachPath, refusesPictures } from "./attach-image.ts";

/** Programs that print the picture in the clipboard. */
const PROGRAMS = [
  ["wl-paste", "--no-newline", "--type", "image/png"],
  ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"],
  ["pngpaste", "-"],
] as const;

/** Attaches the picture in the clipboard. */
export async function pasteImage(port: Port): Promise<void> {
  if (refusesPictures(port)) return;
  const path = port.io.env["PATH"] ?? "";
  for (const argv of PROGRAMS) {
    if (!Bun.which(argv[0], { PATH: path })) continue;
    const child = Bun.spawn([...argv], { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    const bytes = await new Response(child.stdout).bytes();
    if ((await child.exited) !== 0 || bytes.length === 0) continue;
    const file = join(await mkdtemp(join(tmpdir(), "interpreter-image-")), "clipboard.png");
    await writeFile(file, bytes, { mode: 0o600 });
    await attachPath(port, file);
    return;
  }
  port.change({ hint: "no picture in the clipboard, or none of wl-paste, xclip, pngpaste to read it" });
}
