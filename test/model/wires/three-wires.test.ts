import { expect, test } from "bun:test";
import { loadWire } from "../../../src/model/wire.ts";
import { type Item, userText } from "../../../src/protocol/items.ts";
import { answers, calls, says, startFakeServer } from "../../support/fake-server.ts";
import { ask, endpoint, itemsOf, request } from "../ask.ts";

const tools = [{ kind: "function" as const, name: "run", description: "", parameters: { type: "object" } }];

for (const id of ["responses", "chat", "messages"] as const) {
  test(`a conversation with calls and thoughts goes back and forth on the ${id} wire`, async () => {
    await using server = startFakeServer([
      answers(
        { type: "thinking", text: "hm" },
        { type: "text", text: "Look." },
        { type: "call", name: "run", input: { cmd: "ls" }, id: "c1" },
      ),
      calls("run", { cmd: "pwd" }, "c2"),
      says("all done"),
    ]);
    const wire = await loadWire(id);
    const items: Item[] = [userText("go")];
    for (const output of ["a.txt", "b.txt"]) {
      const answer = itemsOf(await ask(wire, endpoint(server.baseUrl), request({ items, tools })));
      items.push(...answer);
      for (const item of answer) {
        if (item.type !== "tool_call") continue;
        items.push({
          type: "tool_result",
          callId: item.callId,
          content: [{ type: "input_text", text: output }],
          ok: true,
        });
      }
    }
    const last = itemsOf(await ask(wire, endpoint(server.baseUrl), request({ items, tools })));
    expect(last).toMatchObject([{ type: "message", content: [{ type: "output_text", text: "all done" }] }]);
    expect(items.map((item) => item.type)).toEqual([
      "message",
      "reasoning",
      "message",
      "tool_call",
      "tool_result",
      "tool_call",
      "tool_result",
    ]);
    const sent = JSON.stringify(server.requests[2]?.body);
    const order = ["go", "Look.", "c1", "a.txt", "c2", "b.txt"].map((text) => sent.indexOf(`"${text}"`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order.includes(-1)).toBe(false);
  });
}
