import { splitAtBytes } from "../../util/truncate.ts";

/** The last lines of an output: as many as `maxLines` and `maxBytes` allow, without the last line end. */
export type Tail = { tail: string; fromLine: number; toLine: number; totalLines: number };

/** `totalLines`: of all that was written, also of what is not in the text any more. */
export function tailOf(
  output: string,
  { maxLines, maxBytes, totalLines }: { maxLines: number; maxBytes: number; totalLines: number },
): Tail {
  const lines = output.replace(/\n$/, "").split("\n");
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(-maxLines).reverse()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    shown.unshift(line);
  }
  // Of a last line that is too long alone, its end.
  const [, end] = splitAtBytes(lines.at(-1) ?? "", Buffer.byteLength(lines.at(-1) ?? "") - maxBytes);
  const tail = shown.length === 0 ? end : shown.join("\n");
  const count = Math.max(1, shown.length);
  return { tail, fromLine: Math.max(1, totalLines - count + 1), toLine: totalLines, totalLines };
}

/** The two ends of a text of `maxChars` or more characters, half of that each; undefined for a shorter one. */
export type Ends = { head: string; tail: string; elidedChars: number };

export function endsOf(output: string, maxChars: number | undefined): Ends | undefined {
  if (maxChars === undefined || output.length < maxChars) return undefined;
  const half = Math.floor(maxChars / 2);
  return {
    head: output.slice(0, half),
    tail: output.slice(-half),
    elidedChars: output.length - 2 * half,
  };
}
