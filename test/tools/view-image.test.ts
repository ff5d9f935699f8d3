import { expect, test } from "bun:test";
import type { Part } from "../../src/protocol/items.ts";
import { viewImage } from "../../src/tools/view-image.ts";
import { workbench } from "./files/workbench.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const heads: Readonly<Record<string, string>> = {
  "image/jpeg": "\xff\xd8\xff\xe0",
  "image/gif": "GIF89a",
  "image/webp": "RIFF\x00\x00\x00\x00WEBP",
};

function bytesOf(content: readonly Part[]): Buffer {
  const [part] = content;
  if (part?.type !== "input_image") throw new Error("no picture");
  return Buffer.from(part.imageUrl.slice(part.imageUrl.indexOf(",") + 1), "base64");
}

test("a small picture is passed on byte for byte", async () => {
  await using bench = await workbench({ "a.png": PIXEL });
  const call = await bench.ready(viewImage, { path: "a.png" });
  expect(call.access).toEqual({ reads: [bench.path("a.png")] });
  expect(await call.run(bench.ctx)).toEqual({
    ok: true,
    content: [
      { type: "input_image", imageUrl: `data:image/png;base64,${PIXEL.toString("base64")}`, detail: "high" },
    ],
    fields: { path: bench.path("a.png") },
    detail: { kind: "none" },
  });
});

for (const [type, head] of Object.entries(heads))
  test(`${type} is known by its first bytes, and passed on when it can't be resized`, async () => {
    const bytes = Buffer.from(`${head}rest`, "latin1");
    await using bench = await workbench({ picture: bytes });
    const { content } = await bench.call(viewImage, { path: "picture" });
    expect(content).toEqual([
      { type: "input_image", imageUrl: `data:${type};base64,${bytes.toString("base64")}`, detail: "high" },
    ]);
  });

test("a large picture is made to fit", async () => {
  const large = await new Bun.Image(PIXEL).resize(4096, 1024).png().bytes();
  await using bench = await workbench({ "large.png": large });
  const { content } = await bench.call(viewImage, { path: "large.png" });
  expect(await new Bun.Image(bytesOf(content)).metadata()).toEqual({
    width: 2048,
    height: 512,
    format: "png",
  });
});

test("a missing file, a folder and text are refused with the reason", async () => {
  await using bench = await workbench({ "d/notes.png": "hello" });
  const texts = [];
  for (const path of ["no.png", "d", "d/notes.png"]) texts.push(await bench.ask(viewImage, { path }));
  expect(texts).toEqual([
    `unable to locate image at \`${bench.path("no.png")}\`: No such file or directory (os error 2)`,
    `image path \`${bench.path("d")}\` is not a file`,
    `unable to process image at \`${bench.path("d/notes.png")}\`: it is not a PNG, JPEG, GIF or WebP file`,
  ]);
});

test("a model that can't see is told so", async () => {
  await using bench = await workbench({ "a.png": PIXEL });
  expect(await viewImage.prepare({ path: "a.png" }, { ...bench.ctx, images: false })).toEqual({
    refused: {
      ok: false,
      content: [
        { type: "input_text", text: "view_image is not allowed because you do not support image inputs" },
      ],
      detail: { kind: "none" },
    },
  });
});
