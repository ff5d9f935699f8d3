import { expect, test } from "bun:test";
import { approvalMode, needsApproval } from "../../../src/extensions/mcp/approval.ts";
import { type McpServerConfig, readMcpServers, startupLimits } from "../../../src/extensions/mcp/config.ts";

test("a table without servers is fine", () => {
  expect(readMcpServers(undefined)).toEqual({ servers: new Map(), warnings: [] });
});

test("a server needs no more than its command", () => {
  expect(readMcpServers({ a: { command: "x" } }).servers.get("a")).toEqual({
    command: "x",
    args: [],
    env: {},
    env_vars: [],
    enabled: true,
    required: false,
    tool_timeout_sec: 300,
    disabled_tools: [],
    default_tools_approval_mode: "auto",
    tools: {},
    supports_parallel_tool_calls: false,
  });
});

test("a mistyped key is warned about; keys for other programs are not", () => {
  const { warnings } = readMcpServers({ a: { command: "x", requierd: true, scopes: [] } });
  expect(warnings).toEqual(["unknown configuration key mcp_servers.a.requierd"]);
});

test.each([
  [{}, "mcp_servers.a: neither command nor url is set"],
  [{ command: "x", url: "http://h/" }, "mcp_servers.a.url: does not go with command"],
  [{ url: "http://h/", args: [] }, "mcp_servers.a.args: does not go with url"],
  [
    { url: "http://h/", bearer_token: "t" },
    "mcp_servers.a.bearer_token: a token does not belong in the file",
  ],
  [{ url: "ftp://h/" }, "mcp_servers.a: "],
  [{ command: 1 }, "mcp_servers.a: "],
])("%j is refused with the key that is wrong", (server, message) => {
  expect(() => readMcpServers({ a: server })).toThrow(message);
});

test("a refused value names its key", () => {
  expect(() => readMcpServers({ a: { command: "x", tool_timeout_sec: -1 } })).toThrow("tool_timeout_sec");
});

test.each([
  [{}, { timeoutMs: 30_000, waitMs: 10_000 }],
  [{ required: true }, { timeoutMs: 30_000, waitMs: 30_000 }],
  [{ startup_timeout_sec: 2 }, { timeoutMs: 2_000, waitMs: 2_000 }],
  [{ startup_timeout_ms: 500 }, { timeoutMs: 500, waitMs: 500 }],
])("%j waits as long as it should", (server, limits) => {
  expect(startupLimits(serverOf(server))).toEqual(limits);
});

test.each([
  ["auto", {}, true],
  ["auto", { readOnlyHint: true }, false],
  ["auto", { readOnlyHint: true, destructiveHint: true }, true],
  ["auto", { destructiveHint: false }, true],
  ["auto", { destructiveHint: false, openWorldHint: false }, false],
  ["writes", { readOnlyHint: true }, false],
  ["writes", { destructiveHint: false, openWorldHint: false }, true],
  ["prompt", { readOnlyHint: true }, true],
  ["approve", { destructiveHint: true }, false],
] as const)("mode %s with hints %j: somebody is asked: %p", (mode, hints, asked) => {
  expect(needsApproval(mode, hints)).toBe(asked);
});

test("a tool's own approval mode counts more than its server's", () => {
  const config = serverOf({
    default_tools_approval_mode: "prompt",
    tools: { safe: { approval_mode: "approve" } },
  });
  expect([approvalMode(config, "safe"), approvalMode(config, "other")]).toEqual(["approve", "prompt"]);
});

function serverOf(more: object): McpServerConfig {
  const config = readMcpServers({ a: { command: "x", ...more } }).servers.get("a");
  if (config === undefined) throw new Error("no server");
  return config;
}
