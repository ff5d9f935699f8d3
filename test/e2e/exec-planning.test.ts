import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bodyOf, exec, listIn, useServer } from "../support/exec.ts";
import { calls, type FakeTurn, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const SERVER = join(import.meta.dir, "..", "fixtures", "mcp", "server.ts");
const MCP = `mcp_servers = { test = { command = ${JSON.stringify(process.execPath)}, args = [${JSON.stringify(SERVER)}], default_tools_approval_mode = "approve" } }`;
const HELD = "nothing is changed while you plan";

/** What the model has read after each of its answers, and which of these files there are at the end. */
async function play(
  harness: "kimi-code" | "claude-code",
  turns: FakeTurn[],
  made: string[],
  posture: string,
) {
  await using home = await tempHome();
  await using server = startFakeServer(turns);
  const wire = harness === "kimi-code" ? "chat" : "messages";
  await useServer(home, server, { wire, more: `harness = "${harness}"\n${MCP}` });
  const { exitCode, stderr } = await exec(home, ["--sandbox", posture, "go"]);
  if (exitCode !== 0) throw new Error(stderr);
  const bodies = server.requests.map((_, at) => bodyOf(server, at));
  return {
    read: bodies.map((body) => JSON.stringify(listIn(body, "messages").at(-1))),
    made: made.filter((name) => existsSync(join(home.cwd, name))),
  };
}

const plan = calls("EnterPlanMode", {});

for (const posture of ["workspace-write", "danger-full-access"]) {
  test(`while the model plans, a server's tool is called only if it only reads (${posture})`, async () => {
    const turns = [plan, calls("mcp__test__env", {}), calls("mcp__test__echo", { word: "hi" }), says("done")];
    const { read } = await play("kimi-code", turns, [], posture);
    expect(read[2]).toContain(HELD);
    expect(read[3]).toContain("echo {");
  });

  test(`the agents of a model that plans change nothing by their tools either (${posture})`, async () => {
    const turns = [
      plan,
      calls("Agent", { description: "write", prompt: "write it", subagent_type: "coder" }),
      calls("Write", { path: "by-tool", content: "x" }),
      calls("mcp__test__env", {}),
      says("could not"),
      says("done"),
    ];
    const { read, made } = await play("kimi-code", turns, ["by-tool"], posture);
    expect([made, read[3], read[4]]).toEqual([
      [],
      expect.stringContaining(HELD),
      expect.stringContaining(HELD),
    ]);
  });
}

test("commands of agents and workflows are confined while the model plans", async () => {
  const script =
    'export const meta = { name: "w", description: "d" }; await Bun.write("by-script", "x"); return await agent("write");';
  const turns = [
    plan,
    calls("Workflow", { script }),
    calls("Agent", { description: "write", prompt: "write it" }),
    calls("Bash", { command: "touch by-command" }),
    says("could not"),
    says("done"),
    says("done"),
    says("done"),
  ];
  const { made } = await play("claude-code", turns, ["by-script", "by-command"], "workspace-write");
  expect(made).toEqual([]);
});

test("without a sandbox, no workflow is started while the model plans: nothing would hold its script", async () => {
  const script = 'export const meta = { name: "w", description: "d" }; return 1;';
  const turns = [plan, calls("Workflow", { script }), says("done")];
  const { read } = await play("claude-code", turns, [], "danger-full-access");
  expect(read[2]).toContain(HELD);
});
