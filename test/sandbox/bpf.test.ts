import { expect, test } from "bun:test";
import { assemble } from "../../src/sandbox/bpf.ts";

test("instructions become eight bytes each, with jumps counted from the next one", () => {
  const bytes = assemble([
    { op: "load", offset: 4 },
    { op: "jump", test: "equal", value: 0xc000003e, no: "bad" },
    { op: "jump", test: "any_bit", value: 0x10000000, yes: "bad", no: "good" },
    { op: "return", value: 0x80000000, label: "bad" },
    { op: "return", value: 0x7fff0000, label: "good" },
  ]);
  expect(Buffer.from(bytes).toString("hex").match(/.{16}/g)).toEqual([
    "2000000004000000",
    "150000013e0000c0",
    "4500000100000010",
    "0600000000000080",
    "060000000000ff7f",
  ]);
});

test("a jump to a label that is not below is a mistake", () => {
  expect(() => assemble([{ op: "jump", test: "equal", value: 1, yes: "nowhere" }])).toThrow(
    'the filter can\'t jump from 0 to "nowhere"',
  );
});
