import { expect, test } from "bun:test";
import { agentMessage } from "../../src/tools/agent-message.ts";
import { agentsList } from "../../src/tools/agents-list.ts";
import type { AgentReply, AgentRunner, AgentState } from "../../src/tools/types.ts";
import { agentState as agent, NO_CHILDREN } from "./agent-runner.ts";
import { workbench } from "./files/workbench.ts";

const OUTCOME = { ok: true, text: "more", toolCalls: 1, tokens: 2, durationMs: 3 };

function children(states: readonly AgentState[], reply: AgentReply = { kind: "unknown" }): AgentRunner {
  return { ...NO_CHILDREN, run: async () => OUTCOME, list: () => states, send: async () => reply };
}

test("helpers are listed with what they do, and searched by any of it", async () => {
  await using bench = await workbench();
  const agents = children([agent("a1", "running"), agent("b2")]);
  expect(await bench.ask(agentsList, {}, { agents })).toBe(
    "a1 [running] Explore: task of a1\nb2 [done] Explore: task of b2",
  );
  expect(await bench.ask(agentsList, { query: "RUNNING" }, { agents })).toBe(
    "a1 [running] Explore: task of a1",
  );
  expect(await bench.ask(agentsList, { query: "none" }, { agents })).toBe('No agent fits "none".');
  expect(await bench.ask(agentsList, {})).toBe("No agents have been started.");
});

test("a long list of helpers comes in pages", async () => {
  await using bench = await workbench();
  const agents = children(Array.from({ length: 22 }, (_, index) => agent(`n${index}`)));
  const first = await bench.call(agentsList, {}, { agents });
  expect(first.fields).toMatchObject({ total: 22, next: "20" });
  expect(await bench.ask(agentsList, { cursor: "20" }, { agents })).toBe(
    "n20 [done] Explore: task of n20\nn21 [done] Explore: task of n21",
  );
});

test("a message to a helper is delivered, answered, or has nobody to go to", async () => {
  await using bench = await workbench();
  const send = (reply: AgentReply) =>
    bench.call(agentMessage, { to: "a1", message: "and?" }, { agents: children([agent("b2")], reply) });
  expect(await send({ kind: "delivered" })).toMatchObject({ ok: true, fields: { case: "delivered" } });
  expect(await send({ kind: "answered", ...OUTCOME })).toMatchObject({
    ok: true,
    content: [{ text: "more" }],
    fields: { case: "done", agentId: "a1", toolCalls: 1, tokens: 2, durationMs: 3 },
  });
  expect(await send({ kind: "unknown" })).toMatchObject({
    ok: false,
    content: [{ text: "there is no agent a1; there are b2" }],
  });
});
