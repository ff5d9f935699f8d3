const NEWLINE = 0x0a;

/** The lines of a stream, without their ends. One of more than `maxBytes` is passed over: "too long" stands in its place. */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array | "too long"> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      yield size + end - start > maxBytes ? "too long" : Buffer.concat(pieces);
      [pieces, size, start] = [[], 0, end + 1];
    }
    size += chunk.length - start;
    if (size > maxBytes) pieces = [];
    else pieces.push(chunk.subarray(start));
  }
  if (size > 0) yield size > maxBytes ? "too long" : Buffer.concat(pieces);
}
