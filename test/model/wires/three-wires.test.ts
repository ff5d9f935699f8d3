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

test("a tool name that no API would take back is made plain in later requests", async () => {
  for (const [name, plain] of [
    ["\u001b[31mfoo\u0007", "__31mfoo_"],
    ["", "unnamed"],
    ["x".repeat(10_000), "x".repeat(64)],
  ] as const) {
    for (const id of ["responses", "chat", "messages"] as const) {
      await using server = startFakeServer([says("ok")]);
      const items: Item[] = [
        userText("go"),
        { type: "tool_call", callId: "c1", name, input: { kind: "json", raw: "{}" } },
        {
          type: "tool_result",
          callId: "c1",
          ok: false,
          content: [{ type: "input_text", text: "no such tool" }],
        },
      ];
      await ask(await loadWire(id), endpoint(server.baseUrl), request({ items }));
      expect(JSON.stringify(server.requests[0]?.body)).toContain(`"name":"${plain}"`);
    }
  }
});
