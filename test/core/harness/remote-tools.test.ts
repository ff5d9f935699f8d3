import { expect, test } from "bun:test";
import { RemoteTools } from "../../../src/core/harness/remote-tools.ts";
import type { McpClients } from "../../../src/extensions/mcp/clients.ts";

function clients(names: readonly string[]): McpClients {
  return {
    tools: () =>
      names.map((name) => ({
        wire: { kind: "function", name, description: "x".repeat(400), parameters: { type: "object" } },
        server: "s",
        tool: name,
        readOnly: true,
        needsApproval: false,
        parallel: true,
      })),
    statuses: () => [],
    prompts: () => [],
    fillPrompt: async () => [],
    onChange: () => {},
    call: async () => {
      throw new Error("not called");
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

const offered = (tools: RemoteTools) => tools.offered().map(({ name }) => name);
const kept = (tools: RemoteTools) => tools.keptBack().map(({ name }) => name);

test("tools of servers that fit into the window are all offered", () => {
  const tools = new RemoteTools(clients(["a", "b"]), { maySearch: true, contextWindow: 10_000 });
  expect([offered(tools), kept(tools)]).toEqual([["a", "b"], []]);
});

test("those that would take too much are kept back until they are loaded, in that order", () => {
  const tools = new RemoteTools(clients(["a", "b", "c"]), { maySearch: true, contextWindow: 2_000 });
  expect([offered(tools), kept(tools)]).toEqual([[], ["a", "b", "c"]]);
  tools.load(["c", "unknown"]);
  tools.load(["a"]);
  expect([offered(tools), kept(tools)]).toEqual([
    ["c", "a"],
    ["a", "b", "c"],
  ]);
});

test("without a way to look for them, all are offered whatever they take", () => {
  const tools = new RemoteTools(clients(["a", "b"]), { maySearch: false, contextWindow: 100 });
  expect([offered(tools), kept(tools)]).toEqual([["a", "b"], []]);
});
