import { expect, test } from "bun:test";
import { deflateSync, inflateSync } from "node:zlib";
import type { Part } from "../../src/protocol/items.ts";
import { readMedia } from "../../src/tools/read-media.ts";
import { workbench } from "./files/workbench.ts";

type Pixel = [number, number, number];

/** A picture in which the place of each pixel is its colour. */
async function picture(width: number, height: number): Promise<Uint8Array> {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (__, x): Pixel => [x * 10, y * 10, 7]).flat(),
  ]);
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const number = (value: number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value >>> 0);
      return bytes;
    };
    return Buffer.concat([number(data.length), body, number(Bun.hash.crc32(body))]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function bytesOf(content: readonly Part[]): Buffer {
  const part = content.find(({ type }) => type === "input_image");
  if (part?.type !== "input_image") throw new Error("no picture");
  return Buffer.from(part.imageUrl.slice(part.imageUrl.indexOf(",") + 1), "base64");
}

/** The colours of a picture whose rows have no filter. */
function pixelsOf(png: Buffer, width: number): Pixel[][] {
  const at = png.indexOf("IDAT", 0, "latin1");
  const raw = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const size = png[25] === 6 ? 4 : 3;
  const stride = width * size + 1;
  return Array.from({ length: raw.length / stride }, (_, y) =>
    Array.from({ length: width }, (__, x): Pixel => {
      const from = y * stride + 1 + x * size;
      return [raw[from] ?? -1, raw[from + 1] ?? -1, raw[from + 2] ?? -1];
    }),
  );
}

test("a picture is shown with its kind and size", async () => {
  const bytes = await picture(6, 4);
  await using bench = await workbench({ "a.png": bytes });
  const { content } = await bench.call(readMedia, { path: "a.png" });
  expect(content[0]).toEqual({
    type: "input_text",
    text: `${bench.path("a.png")}: image/png, ${bytes.length} bytes, 6x4 pixels`,
  });
  expect(bytesOf(content)).toEqual(Buffer.from(bytes));
});

test("a model that can't look at pictures is told what it is", async () => {
  await using bench = await workbench({ "a.png": await picture(6, 4) });
  const { ok, content } = await bench.call(readMedia, { path: "a.png" }, { images: false });
  expect(ok).toBe(true);
  expect(content).toEqual([
    {
      type: "input_text",
      text: expect.stringMatching(/6x4 pixels\. You can't look at pictures yourself\.$/),
    },
  ]);
});

test("a region is cut out at its place, and at the picture's edges", async () => {
  await using bench = await workbench({ "a.png": await picture(6, 4) });
  const cut = async (region: object) => {
    const { content } = await bench.call(readMedia, { path: "a.png", region });
    const [text] = content;
    return { text: text?.type === "input_text" ? text.text : "", bytes: bytesOf(content) };
  };
  const inner = await cut({ x: 2, y: 1, width: 3, height: 2 });
  expect(inner.text).toMatch(/, 3x2 pixels$/);
  expect(pixelsOf(inner.bytes, 3)).toEqual([
    [
      [20, 10, 7],
      [30, 10, 7],
      [40, 10, 7],
    ],
    [
      [20, 20, 7],
      [30, 20, 7],
      [40, 20, 7],
    ],
  ]);
  expect((await cut({ x: 4, y: 3, width: 10, height: 10 })).text).toMatch(/, 2x1 pixels$/);
});

test("what is not a picture, is not there or has no such part is said", async () => {
  await using bench = await workbench({ "a.txt": "x", "a.png": await picture(6, 4) });
  const region = { x: 6, y: 0, width: 1, height: 1 };
  expect(await bench.ask(readMedia, { path: "a.txt" })).toBe(
    `${bench.path("a.txt")} is not a PNG, JPEG, GIF or WebP picture; read text with the tool for files`,
  );
  expect(await bench.ask(readMedia, { path: "none.jpg" })).toBe(`${bench.path("none.jpg")} does not exist`);
  expect(await bench.ask(readMedia, { path: "." })).toBe(`${bench.cwd} is not a file`);
  expect(await bench.ask(readMedia, { path: "a.png", region })).toBe(
    `${bench.path("a.png")} has no such region, or can't be cut`,
  );
});
