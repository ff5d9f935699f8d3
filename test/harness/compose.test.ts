import { expect, test } from "bun:test";
import { complete, extendFile, forAgent, tailored } from "../../src/harness/compose.ts";
import type { HarnessFile } from "../../src/harness/schema.ts";

const tool = (name: string, native: "read" | "agent" = "read") => ({
  name,
  description: name,
  native,
  parameters: {},
});

const BASE: HarnessFile = {
  id: "base",
  wires: ["messages", "chat"],
  prompt: { system: ["one", "two"], setup: [{ role: "user", text: "hi" }] },
  layout: { system: "blocks" },
  request: { wire: "messages", body: { max_tokens: 1, thinking: 1 }, query: { beta: "true" } },
  models: [{ match: "opus", layout: { laterSystem: "system" }, request: { body: { max_tokens: 2 } } }],
  routing: { order: 1, model: "x" },
  agents: { helper: { system: "help", tools: ["A"], request: { body: { temperature: 1 } } } },
  tools: [tool("A"), tool("B"), tool("Agent", "agent")],
};

test("the blocks of a system prompt are also one text", () => {
  const { system, blocks } = complete(BASE).prompt;
  expect({ system, blocks }).toEqual({ system: "one\n\ntwo", blocks: ["one", "two"] });
});

test("what is said for a model counts for that model only", () => {
  const harness = complete(BASE);
  const of = (model: string) => tailored(harness, model, "messages");
  expect(of("claude-OPUS-5").request.body).toEqual({ max_tokens: 2, thinking: 1 });
  expect(of("claude-opus-5").layout).toEqual({ system: "blocks", laterSystem: "system" });
  expect(of("other").request.body).toEqual({ max_tokens: 1, thinking: 1 });
});

test("a request that is meant for one wire is left out on others, with the layout", () => {
  const { request, layout, tools } = tailored(complete(BASE), "m", "chat");
  expect({ request, layout, tools: tools.length }).toEqual({
    request: { body: {}, headers: {}, query: {} },
    layout: {},
    tools: 3,
  });
});

test("an extending file replaces tools where they are, adds new ones, and may order all of them", () => {
  const names = (file: Partial<HarnessFile>) =>
    complete(extendFile(BASE, { id: "x", ...file })).tools.map(
      ({ name, description }) => `${name}:${description}`,
    );
  const tools = [{ ...tool("A"), description: "new" }, tool("C")];
  expect(names({ tools })).toEqual(["A:new", "B:B", "Agent:Agent", "C:C"]);
  expect(names({ tools, toolOrder: ["C", "B"] })).toEqual(["C:C", "B:B", "A:new", "Agent:Agent"]);
  expect(names({ dropTools: ["B"] })).toEqual(["A:A", "Agent:Agent"]);
});

test("routing is not inherited: an extended harness does not take over", () => {
  expect(complete(extendFile(BASE, { id: "x" })).routing).toBeUndefined();
});

test("a child agent has its own prompt and tools, and nothing that starts further agents", () => {
  const child = forAgent(complete(BASE), undefined);
  expect(child?.prompt).toEqual({ system: "help", context: {}, setup: [], afterFirst: [] });
  expect(child?.tools.map(({ name }) => name)).toEqual(["A"]);
  expect(child?.request.body).toEqual({ max_tokens: 1, thinking: 1, temperature: 1 });
  expect(forAgent(complete(BASE), "other")).toBeUndefined();
});
