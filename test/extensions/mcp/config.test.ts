import { expect, test } from "bun:test";
import { approvalMode, needsApproval } from "../../../src/extensions/mcp/approval.ts";
import type { McpServerConfig } from "../../../src/extensions/mcp/config.ts";
import { serversOf } from "./support.ts";

test("a server needs no more than its command", () => {
  expect(serverOf({})).toEqual({
    reach: { kind: "program", argv: ["x"], env: {}, passedOn: [] },
    isEnabled: true,
    isRequired: false,
    startupMs: 30_000,
    patienceMs: 10_000,
    toolTimeoutMs: 300_000,
    disabledTools: [],
    approval: { other: "auto", byTool: {} },
    isParallel: false,
  });
});

test("a server at an address has headers in place of arguments", () => {
  const config = serversOf({ a: { url: "http://h/", http_headers: { A: "1" }, bearer_token_env_var: "T" } });
  expect(config.get("a")?.reach).toEqual({
    kind: "address",
    url: "http://h/",
    headers: { A: "1" },
    headerVariables: {},
    tokenVariable: "T",
  });
});

test("an address may have a way, a secret and a program that prints headers", () => {
  const oauth = { client_id: "app", client_secret_env_var: "S" };
  const config = serversOf({
    a: { url: "http://h/", transport: "sse", http_headers_helper: "print-headers", oauth },
  });
  expect(config.get("a")?.reach).toEqual({
    kind: "address",
    url: "http://h/",
    transport: "sse",
    headers: {},
    headersHelper: "print-headers",
    headerVariables: {},
    secretVariable: "S",
  });
});

test.each([
  [{ required: true }, [30_000, 30_000]],
  [{ startup_timeout_sec: 2 }, [2_000, 2_000]],
  [{ startup_timeout_ms: 500 }, [500, 500]],
])("%j waits as long as it should", (server, [startupMs, patienceMs]) => {
  expect(serverOf(server)).toMatchObject({ startupMs, patienceMs });
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
  const config = serversOf({ a: { command: "x", ...more } }).get("a");
  if (config === undefined) throw new Error("no server");
  return config;
}
