import { expect, test } from "bun:test";
import { assistantText, developerText, type Item, userText } from "../../src/protocol/items.ts";
import { sessionContext } from "../../src/tools/session-context.ts";
import { workbench } from "./files/workbench.ts";

const ITEMS: Item[] = [
  developerText("rules about the parser"),
  userText("fix the parser"),
  { type: "tool_call", callId: "c", name: "Read", input: { kind: "json", raw: '{"path":"parser.ts"}' } },
  { type: "tool_result", callId: "c", ok: false, content: [{ type: "input_text", text: "no such file" }] },
  assistantText("the lexer was wrong"),
  userText("now the tests"),
];
const sessions = { read: async (id: string) => (id === "s1" ? ITEMS : undefined) };

async function ask(input: Record<string, unknown>) {
  await using bench = await workbench();
  return await bench.ask(sessionContext, { sessionId: "sess_s1", query: "parser", ...input }, { sessions });
}

test("passages that speak of the query are shown in their order, our own notes left out", async () => {
  expect(await ask({})).toBe('user: fix the parser\n\ncall: Read {"path":"parser.ts"}');
  expect(await ask({ query: "lexer tests" })).toBe("assistant: the lexer was wrong\n\nuser: now the tests");
  expect(await ask({ query: "weather" })).toBe("nothing in the session sess_s1 speaks of this");
});

test("a handoff is the task and as many of the newest steps as fit", async () => {
  expect(await ask({ strategy: "handoff", maxTokens: 20 })).toBe(
    "user: fix the parser\n\nassistant: the lexer was wrong\n\nuser: now the tests",
  );
});

test("a session that is not there is a failed call", async () => {
  expect(await ask({ sessionId: "sess_other" })).toBe("there is no session sess_other for this folder");
});
