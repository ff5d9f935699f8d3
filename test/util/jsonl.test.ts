import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonlDecoder, type JsonlOptions, readJsonl } from "../../src/util/jsonl.ts";

type Read = { values: unknown[]; damage: number };

function read(text: string | Buffer, options: JsonlOptions = {}, chunkBytes = 1 << 20): Read {
  const result: Read = { values: [], damage: 0 };
  const sink = { value: (value: unknown) => result.values.push(value), damage: () => result.damage++ };
  const decoder = new JsonlDecoder(sink, options);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) decoder.feed(bytes.subarray(at, at + chunkBytes));
  decoder.end();
  return result;
}

test("lines end with LF or CRLF, and blank ones mean nothing", () => {
  expect(read('{"a":1}\r\n\n  \n[2]\r\n"x"')).toEqual({ values: [{ a: 1 }, [2], "x"], damage: 0 });
});

test("a byte order mark in front is passed over", () => {
  expect(read('\ufeff{"a":1}\n')).toEqual({ values: [{ a: 1 }], damage: 0 });
});

test("values come out the same wherever the chunks are cut", () => {
  const text = '{"a":"ä€𝄞"}\r\n{"b":2}{"c":3}\n\0\0\0\n{"cut":"he\n{"d":4}';
  for (let size = 1; size < 12; size++)
    expect(read(text, {}, size)).toEqual({
      values: [{ a: "ä€𝄞" }, { b: 2 }, { c: 3 }, { d: 4 }],
      damage: 2,
    });
});

test("two objects on one line are both used", () => {
  expect(read('{"a":"}{"}{"b":[{"c":"\\"{"}]}\n')).toEqual({
    values: [{ a: "}{" }, { b: [{ c: '"{' }] }],
    damage: 0,
  });
});

test("a cut line is skipped, and the lines around it are used", () => {
  expect(read('{"a":1}\n{"b":"hal\n{"c":3}\n')).toEqual({ values: [{ a: 1 }, { c: 3 }], damage: 1 });
});

test("an object glued to the rest of a cut line is found by how a line begins", () => {
  const text = '{"t":1,"text":"hal{"t":2,"x":{"y":{}}}\n';
  expect(read(text, { lineStart: '{"t":' })).toEqual({ values: [{ t: 2, x: { y: {} } }], damage: 1 });
  expect(read(text)).toEqual({ values: [], damage: 1 });
});

test("objects inside the second half of a line are not taken for lines", () => {
  expect(read('ole":"x","content":[{"a":1}]}\n', { lineStart: '{"t":' })).toEqual({ values: [], damage: 1 });
  expect(read('ole":"x","content":[{"a":1}]}\n')).toEqual({ values: [], damage: 1 });
});

test("NUL bytes between and inside lines cost no other line", () => {
  const text = '\0\0{"a":1}\n{"b"\0\0\0\0:2}\n{"c":3}\0\0\n\0\0\0\0\n{"d":4}\n';
  expect(read(text)).toEqual({ values: [{ a: 1 }, { c: 3 }, { d: 4 }], damage: 4 });
});

test("bytes that are not UTF-8 become replacement characters", () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"x'), Buffer.from([0xff, 0xc3]), Buffer.from('"}\n')]);
  expect(read(bytes)).toEqual({ values: [{ a: "x\ufffd\ufffd" }], damage: 0 });
});

test("a line above the limit is skipped as a whole", () => {
  const text = `{"a":1}\n{"b":"${"x".repeat(100)}"}\n{"c":3}\n`;
  expect(read(text, { maxLineBytes: 50 }, 20)).toEqual({ values: [{ a: 1 }, { c: 3 }], damage: 1 });
});

test("a line full of broken starts ends in bounded work", () => {
  const text = `${'{"t":'.repeat(50_000)}\n{"t":1}\n`;
  expect(read(text, { lineStart: '{"t":' })).toEqual({ values: [{ t: 1 }], damage: 1 });
});

test("a big file is read piece by piece", async () => {
  const folder = mkdtempSync(join(tmpdir(), "jsonl-"));
  try {
    const path = join(folder, "big.jsonl");
    const line = (n: number) => JSON.stringify({ n, text: "ö".repeat(n % 700) });
    const numbers = Array.from({ length: 3000 }, (_, n) => n);
    writeFileSync(path, `${numbers.map(line).join("\n")}\n`);
    const seen: string[] = [];
    let damage = 0;
    await readJsonl(path, { value: (value) => seen.push(JSON.stringify(value)), damage: () => damage++ });
    expect(seen).toEqual(numbers.map(line));
    expect(damage).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
