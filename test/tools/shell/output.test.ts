import { expect, test } from "bun:test";
import { OutputBuffer } from "../../../src/tools/shell/output.ts";

test("short output is kept as it came", () => {
  const buffer = new OutputBuffer(100);
  for (const piece of ["a\n", "b", "c\n"]) buffer.append(piece);
  expect(buffer.read()).toEqual({ text: "a\nbc\n", omittedBytes: 0, lines: 2 });
});

test("of long output the beginning and the end are kept and the loss is told in bytes", () => {
  const buffer = new OutputBuffer(8);
  for (const piece of ["01", "2345", "6789", "abcdef"]) buffer.append(piece);
  expect(buffer.read()).toEqual({ text: "0123\n... 8 bytes omitted ...\ncdef", omittedBytes: 8, lines: 1 });
});

test("a flood does not grow memory, whatever the size of its pieces", () => {
  for (const piece of ["x", "y".repeat(1000), `${"z".repeat(70_000)}\n`]) {
    const buffer = new OutputBuffer(100_000);
    let most = 0;
    for (let written = 0; written < 400_000; written += piece.length) {
      buffer.append(piece);
      most = Math.max(most, buffer.heldBytes);
    }
    expect(most).toBeLessThanOrEqual(100_000 + 100_000);
    expect(buffer.read().omittedBytes).toBeGreaterThan(200_000);
  }
});

test("omitted and kept bytes add up, also with characters of several bytes", () => {
  const buffer = new OutputBuffer(1000);
  for (let i = 0; i < 3000; i++) buffer.append("é🙂");
  const { text, omittedBytes } = buffer.read();
  const kept = text.split(/\n\.\.\. \d+ bytes omitted \.\.\.\n/);
  expect(kept).toHaveLength(2);
  expect(text).not.toContain("\uFFFD");
  expect(Buffer.byteLength(kept.join("")) + omittedBytes).toBe(3000 * 6);
});

test("taking empties the buffer", () => {
  const buffer = new OutputBuffer(8);
  buffer.append("0123456789abcdef\n");
  buffer.take();
  buffer.append("new");
  expect(buffer.take()).toEqual({ text: "new", omittedBytes: 0, lines: 1 });
});
