import { expect, test } from "bun:test";
import { byteLines } from "../../src/util/byte-lines.ts";

async function linesOf(chunks: readonly string[], maxBytes = 100): Promise<string[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(control) {
      for (const chunk of chunks) control.enqueue(Buffer.from(chunk));
      control.close();
    },
  });
  return (await Array.fromAsync(byteLines(stream, maxBytes))).map((line) =>
    typeof line === "string" ? `(${line})` : Buffer.from(line).toString(),
  );
}

test("lines are whole however they arrive, and the last one needs no end", async () => {
  expect(await linesOf(["a\nb", "c", "\n\nd"])).toEqual(["a", "bc", "", "d"]);
  expect(await linesOf(["a\n"])).toEqual(["a"]);
  expect(await linesOf([])).toEqual([]);
});

test("a line that is too long is passed over, and the next one counts", async () => {
  expect(await linesOf(["ok\n12", "345", "678\nok\n"], 5)).toEqual(["ok", "(too long)", "ok"]);
  expect(await linesOf(["12345\n", "123456"], 5)).toEqual(["12345", "(too long)"]);
});
