import { expect, test } from "bun:test";
import { serverOverrides } from "../../../src/frontends/acp/mcp-servers.ts";

const option = "the client's MCP servers";

test("the client's servers become settings, whichever way they are spoken to", () => {
  const headers = [{ name: "X-Key", value: "k" }];
  const servers = [
    { name: "a", command: "run", args: ["it"], env: [{ name: "A", value: "1" }] },
    { name: "b", type: "http" as const, url: "http://b/", headers },
    { name: "c", type: "sse" as const, url: "http://c/", headers: [] },
  ];
  expect(serverOverrides(servers)).toEqual([
    { path: ["mcp_servers", "a"], option, set: { command: "run", args: ["it"], env: { A: "1" } } },
    { path: ["mcp_servers", "b"], option, set: { url: "http://b/", http_headers: { "X-Key": "k" } } },
    { path: ["mcp_servers", "c"], option, set: { url: "http://c/", transport: "sse" } },
  ]);
});

test("a way that we don't know is refused", () => {
  expect(() => serverOverrides([{ name: "d", type: "acp", serverId: "1" }])).toThrow("has the type acp");
});
