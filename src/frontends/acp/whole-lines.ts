/** Bytes of one message; pictures that a person attaches fit into it. The SDK takes no more either, and ends over one that is longer. */
export const LONGEST_LINE = 32 * 1024 * 1024 - 1;

/** What a dropped line begins with; characters. */
const HEAD = 512;

/** The same lines, without those that are too long: they are read to their end and forgotten, all but their beginnings. */
export function withoutGiantLines(
  input: ReadableStream<Uint8Array>,
  maxBytes: number,
  onGiant: (head: string) => void,
): ReadableStream<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let isGiant = false;
  const hold = (piece: Uint8Array) => {
    if (isGiant) return;
    held.push(piece);
    heldBytes += piece.byteLength;
    if (heldBytes <= maxBytes) return;
    isGiant = true;
    onGiant(headOf(held));
    held = [];
  };
  const endLine = (controller: TransformStreamDefaultController<Uint8Array>) => {
    for (const piece of held) controller.enqueue(piece);
    held = [];
    heldBytes = 0;
    isGiant = false;
  };
  return input.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        let start = 0;
        for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
          hold(bytes.subarray(start, end + 1));
          endLine(controller);
          start = end + 1;
        }
        if (start < bytes.byteLength) hold(bytes.subarray(start));
      },
      flush: endLine,
    }),
  );
}

const NEWLINE = 10;

function headOf(pieces: readonly Uint8Array[]): string {
  const head = Buffer.concat(pieces.map((piece) => piece.subarray(0, HEAD))).subarray(0, HEAD);
  return head.toString("utf8");
}

/** The answer to a message that was too long to be read: to its request, where the beginning tells the id. */
export function giantLineAnswer(head: string): string {
  const id =
    /^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*,/.exec(
      head,
    )?.[1];
  const message = `the message is longer than ${Math.round(LONGEST_LINE / 1024 / 1024)} MiB and was not read`;
  return `{"jsonrpc":"2.0","id":${id ?? "null"},"error":{"code":-32600,"message":${JSON.stringify(message)}}}\n`;
}
