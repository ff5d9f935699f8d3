import { AppError } from "../util/errors.ts";

/** The text of a file that people write: UTF-8 or UTF-16, with or without a byte order mark. Throws AppError "config". */
export function decodeText(bytes: Uint8Array, file: string): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const line = encoding === "utf-8" ? `:${firstBadLine(bytes)}` : "";
    throw new AppError("config", `${file}${line}: wanted UTF-8 text, found other bytes`, {
      hint: "save the file with the encoding UTF-8",
      cause,
    });
  }
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Settings begin with an ASCII character, so one zero byte among the first two tells the byte order.
  if (bytes.length >= 2 && second === 0) return "utf-16le";
  if (bytes.length >= 2 && first === 0) return "utf-16be";
  return "utf-8";
}

function firstBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== 0x0a) continue;
    try {
      decoder.decode(bytes.subarray(start, at));
    } catch {
      return line;
    }
    line++;
    start = at + 1;
  }
  return line;
}
