import { resolve } from "node:path";
import type { Part } from "../../protocol/items.ts";
import { readAtMost } from "../../util/fs.ts";
import { imageType } from "../../util/image-type.ts";

export type ImageInput = {
  parts: Part[];
  /** For the user, one line for each picture that could not be attached. */
  problems: string[];
};

/** Pictures that the user attached, each between text marks that name it. One that can't be read becomes a note. */
export async function imageInput(files: readonly string[], cwd: string): Promise<ImageInput> {
  const images = await Promise.all(files.map((file, index) => imageParts(file, index + 1, cwd)));
  return {
    parts: images.flatMap((image) => (typeof image === "string" ? [note(image)] : image)),
    problems: images.filter((image) => typeof image === "string"),
  };
}

/** More than any server takes. */
const MOST_BYTES = 64 * 2 ** 20;

async function imageParts(file: string, number: number, cwd: string): Promise<Part[] | string> {
  const path = resolve(cwd, file);
  const bytes = await readAtMost(path, MOST_BYTES).catch((cause: unknown) =>
    cause instanceof Error ? cause : new Error(String(cause)),
  );
  if (bytes instanceof Error) return `The image ${path} could not be read: ${bytes.message}`;
  const type = imageType(bytes);
  if (!type) return `The file ${path} was attached as an image, but it is not a PNG, JPEG, GIF or WebP.`;
  return [
    note(`<image name=[Image #${number}] path="${path}">`),
    { type: "input_image", imageUrl: `data:${type};base64,${bytes.toString("base64")}`, detail: "high" },
    note("</image>"),
  ];
}

function note(text: string): Part {
  return { type: "input_text", text };
}
