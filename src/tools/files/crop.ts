import { crc32, deflateSync, inflateSync } from "node:zlib";

/** A part of a picture, in pixels from its top left corner. */
export type Region = { x: number; y: number; width: number; height: number };

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** Bytes of a pixel by the colour type of a PNG with 8 bits a channel. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/**
 * A part of a picture as a PNG, cut at the picture's edges; undefined when nothing of it is inside, or when the picture
 * can't be read. The runtime reads and writes pictures, but it has no crop.
 */
export async function crop(bytes: Uint8Array, region: Region): Promise<Uint8Array | undefined> {
  try {
    return cropPng(Buffer.from(await new Bun.Image(bytes).png().bytes()), region);
  } catch {
    return undefined;
  }
}

function cropPng(png: Buffer, { x, y, width, height }: Region): Uint8Array | undefined {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === "IHDR")?.data;
  const size = CHANNELS[header?.[9] ?? -1];
  if (!header || size === undefined || header[8] !== 8 || header[12] !== 0) return undefined;
  const whole = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
  const part = { width: Math.min(width, whole.width - x), height: Math.min(height, whole.height - y) };
  if (part.width <= 0 || part.height <= 0) return undefined;
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === "IDAT" ? [data] : [])));
  const rows = unfiltered(inflateSync(packed), whole.width * size, size);
  const cut = rows
    .slice(y, y + part.height)
    .map((row) => Buffer.concat([Buffer.from([0]), row.subarray(x * size, (x + part.width) * size)]));
  const newHeader = Buffer.from(header);
  newHeader.writeUInt32BE(part.width, 0);
  newHeader.writeUInt32BE(part.height, 4);
  const body = deflateSync(Buffer.concat(cut));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", newHeader),
    chunk("IDAT", body),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks = [];
  for (let at = SIGNATURE.length; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString("latin1", at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

/** The rows of pixels, each without the filter that PNG has put over it. `size`: bytes of a pixel. */
function unfiltered(raw: Buffer, length: number, size: number): Buffer[] {
  const rows: Buffer[] = [];
  for (let at = 0; at + length < raw.length; at += length + 1) {
    const row = Buffer.from(raw.subarray(at + 1, at + 1 + length));
    const above = rows.at(-1) ?? Buffer.alloc(length);
    const filter = raw[at] ?? 0;
    for (let i = 0; i < length; i++) {
      const left = i < size ? 0 : (row[i - size] ?? 0);
      const up = above[i] ?? 0;
      const corner = i < size ? 0 : (above[i - size] ?? 0);
      row[i] = ((row[i] ?? 0) + predicted(filter, left, up, corner)) & 255;
    }
    rows.push(row);
  }
  return rows;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return nearestOf(left + up - corner, left, up, corner);
    default:
      return 0;
  }
}

/** PNG's Paeth predictor: which of the three is nearest; the first one wins a tie. */
function nearestOf(wanted: number, ...values: [number, number, number]): number {
  const [left, up, corner] = values;
  const distance = (value: number) => Math.abs(wanted - value);
  if (distance(left) <= distance(up) && distance(left) <= distance(corner)) return left;
  return distance(up) <= distance(corner) ? up : corner;
}
