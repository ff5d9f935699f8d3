import { expect, test } from "bun:test";
import { truncateContent } from "../../../src/core/turn/truncate.ts";
import type { Part } from "../../../src/protocol/items.ts";

const text = (value: string): Part => ({ type: "input_text", text: value });
const picture: Part = { type: "input_image", imageUrl: "data:image/png;base64,AA==" };

test("texts share one budget, what finds no room is counted, pictures stay", () => {
  const parts = [text("aaaa"), picture, text("0123456789"), text("bbbb"), text("cccc")];
  expect(truncateContent(parts, { unit: "bytes", limit: 8 })).toEqual([
    text("aaaa"),
    picture,
    text("01…6 chars truncated…89"),
    text("[omitted 2 text items ...]"),
  ]);
});

test("content within the budget is the same", () => {
  const parts = [text("aaaa"), picture, text("bbbb")];
  expect(truncateContent(parts, { unit: "tokens", limit: 2 })).toEqual(parts);
});
