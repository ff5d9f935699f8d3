import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Part } from "../protocol/items.ts";
import { imageType } from "../util/image-type.ts";

/** Pictures that the user attached, each between text marks that name it. One that can't be read becomes a note. */
export async function imageParts(files: readonly string[], cwd: string): Promise<Part[]> {
  const parts = await Promise.all(files.map((file, index) => imagePart(file, index + 1, cwd)));
  return parts.flat();
}

async function imagePart(file: string, number: number, cwd: string): Promise<Part[]> {
  const path = resolve(cwd, file);
  const bytes = await readFile(path).catch((cause: unknown) =>
    cause instanceof Error ? cause : new Error(String(cause)),
  );
  if (bytes instanceof Error) return [note(`The image ${path} could not be read: ${bytes.message}`)];
  const type = imageType(bytes);
  if (!type) return [note(`The file ${path} was attached as an image, but it is no PNG, JPEG, GIF or WebP.`)];
  return [
    note(`<image name=[Image #${number}] path="${path}">`),
    { type: "input_image", imageUrl: `data:${type};base64,${bytes.toString("base64")}`, detail: "high" },
    note("</image>"),
  ];
}

function note(text: string): Part {
  return { type: "input_text", text };
}
