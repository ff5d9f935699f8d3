/** `text` keeps a byte order mark as its first character. */
export type ReadText = { text: string } | { notText: string };

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads bytes as UTF-8 and nothing else: whatever is written back must be able to hold every byte that was there. */
export function readUtf8(bytes: Uint8Array): ReadText {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { notText: `not UTF-8 text (${encodingGuess(bytes)}), so it is left untouched` };
  }
}

/** For people and models to look at, never to write back: the text in the most likely other encoding. */
export function readForeign(bytes: Uint8Array): { text: string; encoding: string } {
  const utf16 = utf16Of(bytes);
  const encoding = utf16 ?? "latin1";
  return { text: new TextDecoder(encoding).decode(bytes), encoding: utf16?.toUpperCase() ?? "Latin-1" };
}

/** Bytes that no text has. UTF-16 has them too, so ask for its byte order mark first. */
export function looksBinary(bytes: Uint8Array): boolean {
  return utf16Of(bytes) === undefined && bytes.subarray(0, 8192).includes(0);
}

function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function encodingGuess(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return `its encoding is ${utf16.toUpperCase()}`;
  const at = firstDifference(bytes, Buffer.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)));
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  return `invalid byte 0x${byte} at offset ${at}`;
}

/** Decoding with replacement characters and encoding again differs first where the invalid bytes begin. */
function firstDifference(a: Uint8Array, b: Uint8Array): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
