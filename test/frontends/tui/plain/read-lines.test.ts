import { expect, test } from "bun:test";
import { readLines } from "../../../../src/frontends/tui/plain/read-lines.ts";

async function linesFrom(...pieces: (string | Uint8Array)[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  const lines: string[] = [];
  await readLines(stream, (line) => lines.push(line));
  return lines;
}

test("a line may come in pieces, and several in one", async () => {
  expect(await linesFrom("he", "llo\nwor", "ld\n\nlast")).toEqual(["hello", "world", "", "last"]);
});

test("a character may be cut between two reads", async () => {
  const bytes = new TextEncoder().encode("漢字\n");
  expect(await linesFrom(bytes.subarray(0, 4), bytes.subarray(4))).toEqual(["漢字"]);
});

test("a carriage return at the end of a read may be half of a line end", async () => {
  expect(await linesFrom("a\r", "\nb\r\n")).toEqual(["a", "b"]);
});
