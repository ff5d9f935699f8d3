import { expect, test } from "bun:test";
import type { LoadedConfig } from "../../../src/config/load.ts";
import { agentDepth, agentLimits, offersAgents } from "../../../src/core/agents/limits.ts";
import { servesOneAtATime } from "../../../src/core/agents/one-at-a-time.ts";
import { rightsOf } from "../../../src/core/agents/rights.ts";
import type { SessionSettings } from "../../../src/core/turn/settings.ts";
import { resolvePolicy } from "../../../src/safety/modes.ts";

type Values = LoadedConfig["values"];

function parent(sandboxMode: SessionSettings["sandboxMode"]): SessionSettings {
  const sandbox = resolvePolicy({ mode: sandboxMode, cwd: "/w", network: true });
  return { cwd: "/w", approvals: "on-request", sandboxMode, sandbox } as SessionSettings;
}

test("a child has the rights of its parent, also those that it loses later", () => {
  const settings = parent("workspace-write");
  const rights = rightsOf(settings, undefined, "/home");
  expect(rights).toEqual({
    approvals: "on-request",
    sandboxMode: "workspace-write",
    sandbox: settings.sandbox,
  });
  Object.assign(settings, parent("read-only"), { approvals: "never" });
  expect(rights).toEqual({ approvals: "never", sandboxMode: "read-only", sandbox: settings.sandbox });
});

test("a role takes rights away, and never adds any", () => {
  const narrow = rightsOf(parent("workspace-write"), "read-only", "/home");
  expect([narrow.sandboxMode, narrow.sandbox]).toMatchObject([
    "read-only",
    { mode: "restricted", write: [], network: false },
  ]);
  const kept = rightsOf(parent("read-only"), "danger-full-access", "/home");
  expect([kept.sandboxMode, kept.sandbox]).toMatchObject(["read-only", { mode: "restricted", write: [] }]);
  const held = rightsOf(parent("danger-full-access"), "workspace-write", "/home");
  expect([held.sandboxMode, held.sandbox]).toMatchObject([
    "workspace-write",
    { mode: "restricted", network: false },
  ]);
  const outside = rightsOf(parent("external-sandbox"), "read-only", "/home");
  expect(outside.sandbox).toEqual({ mode: "external", network: true });
});

test("how many children there may be, and for whom the tools are", () => {
  const values = (agents?: Values["agents"], features: Values["features"] = {}) =>
    ({ agents, features }) as unknown as Values;
  expect(agentLimits(values(), false)).toEqual({ running: 6, open: 6 });
  expect(agentLimits(values(), true)).toEqual({ running: 1, open: 6 });
  expect(agentLimits(values({ max_threads: 2 }), true)).toEqual({ running: 2, open: 2 });
  expect([
    agentDepth(values()),
    agentDepth(values({ max_depth: 0 })),
    agentDepth(values({ enabled: false })),
  ]).toEqual([1, 0, 0]);
  expect([offersAgents(values(), 64_000), offersAgents(values(), 63_999)]).toEqual([true, false]);
  expect(offersAgents(values({ enabled: true }), 8_000)).toBe(true);
  expect(offersAgents(values(undefined, { multi_agent: false }), 200_000)).toBe(false);
});

test("a server of this machine has room for one conversation", () => {
  const at = (baseUrl: string, isLocal = false) => servesOneAtATime({ baseUrl, isLocal });
  expect(
    ["http://localhost:8080/v1", "http://127.0.0.1:1/v1", "http://[::1]:1"].map((url) => at(url)),
  ).toEqual([true, true, true]);
  expect([
    at("https://api.example.org/v1"),
    at("http://10.0.0.2:8000"),
    at("http://10.0.0.2:11434", true),
  ]).toEqual([false, false, true]);
});
