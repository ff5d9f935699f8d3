import { expect, test } from "bun:test";
import { replayOf } from "../../../src/frontends/acp/replay.ts";
import type { Item } from "../../../src/protocol/items.ts";

const HISTORY: Item[] = [
  { type: "message", role: "developer", content: [{ type: "input_text", text: "rules" }] },
  {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "<environment_context>\n</environment_context>" }],
  },
  {
    type: "message",
    role: "user",
    content: [
      { type: "input_text", text: "look" },
      { type: "input_image", imageUrl: "data:image/png;base64,AAAA" },
    ],
  },
  { type: "reasoning", summary: ["hm"] },
  { type: "tool_call", callId: "c", name: "read", input: { kind: "json", raw: '{"path":"a"}' } },
  { type: "tool_result", callId: "c", ok: false, content: [{ type: "input_text", text: "no a" }] },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "there is no a" }] },
];

test("what was said and done is told again in order, without what only the model was told", () => {
  const told = replayOf(HISTORY, "/w").map((update) => {
    const { messageId: _, ...rest } = { messageId: undefined, ...update };
    return rest;
  });
  expect(told).toEqual([
    { sessionUpdate: "user_message_chunk", content: { type: "text", text: "look" } },
    { sessionUpdate: "user_message_chunk", content: { type: "image", mimeType: "image/png", data: "AAAA" } },
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
    {
      sessionUpdate: "tool_call",
      toolCallId: "c",
      name: "read",
      title: "Read a",
      kind: "read",
      status: "failed",
      locations: [{ path: "/w/a" }],
      rawInput: { path: "a" },
      content: [{ type: "content", content: { type: "text", text: "```\nno a\n```" } }],
    },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "there is no a" } },
  ]);
});
