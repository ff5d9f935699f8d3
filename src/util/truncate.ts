/** How much text is worth keeping. One token is taken to be four bytes. */
export type TextBudget = { unit: "bytes" | "tokens"; limit: number };

const BYTES_PER_TOKEN = 4;

/** Tokens of a text of that many bytes, roughly, for as long as no server has counted them. */
export function tokensIn(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/**
 * Text within the budget comes back unchanged. Longer text keeps its head and its tail in equal share, cut between
 * characters, around a mark that says how much is gone; the mark itself is not counted.
 */
export function truncateMiddle(text: string, { unit, limit }: TextBudget): string {
  const maxBytes = Math.max(0, Math.floor(unit === "tokens" ? limit * BYTES_PER_TOKEN : limit));
  if (text.length <= maxBytes / 3) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const headEnd = characterStart(bytes, Math.floor(maxBytes / 2));
  const tailStart = nextCharacter(bytes, bytes.length - (maxBytes - Math.floor(maxBytes / 2)));
  const gone = bytes.subarray(headEnd, tailStart);
  const mark =
    unit === "tokens"
      ? `…${tokensIn(gone.length)} tokens truncated…`
      : `…${countCharacters(gone)} chars truncated…`;
  return bytes.toString("utf8", 0, headEnd) + mark + bytes.toString("utf8", tailStart);
}

/** The longest beginning of `text` that takes at most `maxBytes` as UTF-8, and what follows it. */
export function splitAtBytes(text: string, maxBytes: number): [head: string, rest: string] {
  if (maxBytes <= 0) return ["", text];
  if (text.length <= maxBytes / 3) return [text, ""];
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return [text, ""];
  const end = characterStart(bytes, maxBytes);
  return [bytes.toString("utf8", 0, end), bytes.toString("utf8", end)];
}

function characterStart(bytes: Uint8Array, index: number): number {
  let at = index;
  while (at > 0 && isContinuation(bytes[at])) at--;
  return at;
}

function nextCharacter(bytes: Uint8Array, index: number): number {
  let at = index;
  while (at < bytes.length && isContinuation(bytes[at])) at++;
  return at;
}

function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!isContinuation(byte)) count++;
  return count;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
