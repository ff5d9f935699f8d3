import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "./define.ts";
import { imagePart, imageType } from "./files/image.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { osErrorText } from "./files/os-error.ts";
import { MAX_FILE_BYTES } from "./files/size-limit.ts";
import { readingCall, refused, textResult } from "./results.ts";
import type { ToolResult } from "./types.ts";

/** Native "view_image": shows a picture file to the model. */
export const viewImage = defineTool({
  name: "view_image",
  schema: z.looseObject({ path: z.string() }),
  parallel: true,
  async prepare(input, ctx) {
    if (!ctx.images) return refused("view_image is not allowed because you do not support image inputs");
    const path = absolutePath(input.path, ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    return readingCall(touched(location), () => view(path, location.target));
  },
});

async function view(path: string, target: string): Promise<ToolResult> {
  let bytes: Uint8Array;
  try {
    const stats = await stat(target);
    if (!stats.isFile()) return textResult(false, `image path \`${path}\` is not a file`);
    if (stats.size > MAX_FILE_BYTES)
      return textResult(false, `unable to process image at \`${path}\`: ${stats.size} bytes are too many`);
    bytes = await readFile(target);
  } catch (error) {
    return textResult(false, `unable to locate image at \`${path}\`: ${osErrorText(error)}`);
  }
  const type = imageType(bytes);
  if (!type)
    return textResult(
      false,
      `unable to process image at \`${path}\`: it is not a PNG, JPEG, GIF or WebP file`,
    );
  return { ok: true, content: [await imagePart(bytes, type)], fields: { path }, detail: { kind: "none" } };
}
