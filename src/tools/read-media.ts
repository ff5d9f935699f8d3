import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "./define.ts";
import { crop } from "./files/crop.ts";
import { imagePart, imageType, wholeImagePart } from "./files/image.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { osErrorText } from "./files/os-error.ts";
import { MAX_FILE_BYTES } from "./files/size-limit.ts";
import { readingCall, textResult } from "./results.ts";
import type { RunContext, ToolResult } from "./types.ts";

const Pixel = z.number().int().nonnegative();
const ReadMediaInput = z.looseObject({
  path: z.string(),
  /** Only this part. */
  region: z.looseObject({ x: Pixel, y: Pixel, width: Pixel.min(1), height: Pixel.min(1) }).optional(),
  /** The picture as it is, however large. */
  fullResolution: z.boolean().optional(),
});
type ReadMediaInput = z.infer<typeof ReadMediaInput>;

/** Native "read_media": a picture with its kind and size; only these for a model that can't look at pictures. */
export const readMedia = defineTool<ReadMediaInput>({
  name: "read_media",
  schema: ReadMediaInput,
  parallel: true,
  async prepare(input, ctx) {
    const path = absolutePath(input.path, ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    return readingCall(touched(location), (run) => show(path, location.target, input, run));
  },
});

async function show(
  path: string,
  target: string,
  input: ReadMediaInput,
  ctx: RunContext,
): Promise<ToolResult> {
  const file = await bytesOf(path, target, ctx);
  if (!(file instanceof Uint8Array)) return file;
  const whole = imageType(file);
  if (!whole)
    return failed(path, "is not a PNG, JPEG, GIF or WebP picture; read text with the tool for files");
  const bytes = input.region ? await crop(file, input.region) : file;
  if (!bytes) return failed(path, "has no such region, or can't be cut");
  const type = imageType(bytes) ?? whole;
  const size = await pixels(bytes);
  const facts = `${path}: ${type}, ${bytes.length} bytes${size === "" ? "" : `, ${size} pixels`}`;
  const fields = { case: "picture", path, type, bytes: bytes.length, size };
  if (!ctx.images) return textResult(true, `${facts}. You can't look at pictures yourself.`, fields);
  const part = input.fullResolution ? wholeImagePart(bytes, type) : await imagePart(bytes, type);
  return { ...textResult(true, facts, fields), content: [{ type: "input_text", text: facts }, part] };
}

async function bytesOf(path: string, target: string, ctx: RunContext): Promise<Uint8Array | ToolResult> {
  const stats = await stat(target).catch(() => undefined);
  if (!stats)
    return textResult(false, await missingPathText(path, ctx.cwd, ctx.signal), { case: "missing", path });
  if (!stats.isFile()) return failed(path, "is not a file");
  if (stats.size > MAX_FILE_BYTES) return failed(path, `is too large (${stats.size} bytes)`);
  try {
    return await readFile(target);
  } catch (error) {
    return failed(path, `can't be read: ${osErrorText(error)}`);
  }
}

function failed(path: string, why: string): ToolResult {
  return textResult(false, `${path} ${why}`, { case: "failed", path });
}

/** Width and height; "" when the runtime can't tell. */
async function pixels(bytes: Uint8Array): Promise<string> {
  try {
    const { width, height } = await new Bun.Image(bytes).metadata();
    return `${width}x${height}`;
  } catch {
    return "";
  }
}
