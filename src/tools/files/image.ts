import type { ImagePart } from "../../protocol/items.ts";

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** Models scale larger pictures down themselves, after the bytes have been paid for. */
const MAX_SIDE = 2048;

/** The kind of picture by its first bytes; the name of a file says nothing. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8) === "WEBP") return "image/webp";
  return undefined;
}

/** A picture for the model, made smaller when a side is longer than 2048 pixels. */
export async function imagePart(bytes: Uint8Array, type: ImageType): Promise<ImagePart> {
  const fitted = (await shrunk(bytes, type)) ?? { bytes, type };
  return wholeImagePart(fitted.bytes, fitted.type);
}

/** The picture as it is. */
export function wholeImagePart(bytes: Uint8Array, type: ImageType): ImagePart {
  const base64 = Buffer.from(bytes).toString("base64");
  return { type: "input_image", imageUrl: `data:${type};base64,${base64}`, detail: "high" };
}

/** `undefined`: small enough, or nothing that this runtime can resize; then the server decides about the bytes. */
async function shrunk(
  bytes: Uint8Array,
  type: ImageType,
): Promise<{ bytes: Uint8Array; type: ImageType } | undefined> {
  try {
    const { width, height } = await new Bun.Image(bytes).metadata();
    if (width <= MAX_SIDE && height <= MAX_SIDE) return undefined;
    const small = new Bun.Image(bytes).resize(MAX_SIDE, MAX_SIDE, { fit: "inside" });
    if (type === "image/jpeg") return { bytes: await small.jpeg().bytes(), type };
    if (type === "image/webp") return { bytes: await small.webp().bytes(), type };
    return { bytes: await small.png().bytes(), type: "image/png" };
  } catch {
    return undefined;
  }
}
