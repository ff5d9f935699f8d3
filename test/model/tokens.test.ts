import { expect, test } from "bun:test";
import { estimateItemTokens, estimateTokens } from "../../src/model/tokens.ts";
import { userText } from "../../src/protocol/items.ts";

test("four bytes count as one token", () => {
  expect(["", "abcd", "abcde", "日本"].map(estimateTokens)).toEqual([0, 1, 2, 2]);
});

test("a picture counts by itself, not by the bytes of its address", () => {
  const image = { type: "input_image" as const, imageUrl: `data:image/png;base64,${"A".repeat(400_000)}` };
  const items = [userText("abcd"), { type: "message" as const, role: "user" as const, content: [image] }];
  expect(items.map(estimateItemTokens)).toEqual([5, 1_104]);
});

test("every kind of item has a size", () => {
  const sizes = [
    estimateItemTokens({
      type: "reasoning",
      summary: ["not sent"],
      text: "abcd",
      sealed: { wire: "responses", data: "abcd" },
    }),
    estimateItemTokens({
      type: "tool_call",
      callId: "x",
      name: "run1",
      input: { kind: "json", raw: '{"a":1}' },
    }),
    estimateItemTokens({ type: "tool_result", callId: "x", content: [], ok: true }),
    estimateItemTokens({ type: "compaction", summary: "abcd", replaced: 1 }),
    estimateItemTokens({ type: "opaque", wire: "responses", raw: { a: 1 } }),
  ];
  expect(sizes).toEqual([6, 7, 4, 5, 6]);
});
