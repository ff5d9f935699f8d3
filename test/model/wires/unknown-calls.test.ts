import { expect, test } from "bun:test";
import { chatBody } from "../../../src/model/wires/chat-request.ts";
import type { Item } from "../../../src/protocol/items.ts";
import { request } from "../ask.ts";

const tools = [{ kind: "function" as const, name: "run", description: "", parameters: {} }];

/** The calls that are sent, by name and arguments. */
function sent(name: string, ok: boolean): unknown {
  const items: Item[] = [
    { type: "tool_call", callId: "a", name, input: { kind: "json", raw: '{"x": 1}' } },
    { type: "tool_result", callId: "a", ok, content: [{ type: "input_text", text: "said" }] },
  ];
  const layout = { unknownCall: "invalid" };
  const { messages } = chatBody(request({ tools, items, layout }), { quirks: {}, mergeRoles: false });
  return messages;
}

function answered(name: string, args: string) {
  return [
    { role: "system", content: "Be brief." },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name, arguments: args } }],
    },
    { role: "tool", tool_call_id: "a", content: "said" },
  ];
}

test("a failed call of a tool that is not offered is sent as one of the tool for such calls", () => {
  expect(sent("nonsense", false)).toEqual(answered("invalid", '{"tool":"nonsense","error":"said"}'));
});

test("calls that ran, or whose name was only written differently, stay as they are", () => {
  expect(sent("nonsense", true)).toEqual(answered("nonsense", '{"x": 1}'));
  expect(sent("Run", false)).toEqual(answered("Run", '{"x": 1}'));
  expect(sent("run", false)).toEqual(answered("run", '{"x": 1}'));
});
