import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { asObject, bodyOf, completed, conversation, exec, listIn, useServer } from "../support/exec.ts";
import { checkProtocol } from "../support/exec-protocol.ts";
import { calls, type FakeTurn, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const SERVER = join(import.meta.dir, "..", "fixtures", "mcp", "server.ts");

function mcp(modes: readonly string[] = [], extra = ""): string {
  const args = JSON.stringify([SERVER, ...modes]);
  return `mcp_servers = { test = { command = ${JSON.stringify(process.execPath)}, args = ${args}${extra} } }`;
}

const APPROVED = ', default_tools_approval_mode = "approve"';

async function play(turns: readonly FakeTurn[], more: string, env: Record<string, string> = {}) {
  await using home = await tempHome();
  await using server = startFakeServer(turns);
  await useServer(home, server, { more });
  const result = await exec(home, ["go"], { env });
  checkProtocol(result.stdout);
  const bodies = server.requests.map((_, index) => bodyOf(server, index));
  return { ...result, bodies, read: conversation(bodies.at(-1) ?? {}).at(-1) };
}

test("a tool of a server is offered, called and answered", async () => {
  const { events, bodies, read, exitCode } = await play(
    [calls("mcp__test__echo", { word: "hi" }), says("done")],
    mcp(),
  );
  const names = listIn(bodies[0] ?? {}, "tools").map((tool) => asObject(tool)["name"]);
  expect(names).toContain("mcp__test__echo");
  const item = {
    id: "item_0",
    type: "mcp_tool_call",
    server: "test",
    tool: "echo",
    arguments: { word: "hi" },
  };
  expect(events.slice(2, 4)).toEqual([
    { type: "item.started", item: { ...item, result: null, error: null, status: "in_progress" } },
    {
      type: "item.completed",
      item: {
        ...item,
        result: { content: [{ type: "text", text: 'echo {"word":"hi"}' }], structured_content: null },
        error: null,
        status: "completed",
      },
    },
  ]);
  expect(read).toContain('echo {"word":"hi"}');
  expect(exitCode).toBe(0);
});

test("structured content is in the event, and the model reads it", async () => {
  const { events, read } = await play([calls("mcp__test__structured", {}), says("done")], mcp([], APPROVED));
  expect(completed(events, "mcp_tool_call")).toMatchObject([
    { result: { structured_content: { count: 7 } }, status: "completed" },
  ]);
  expect(read).toContain('{"count":7}');
});

test("a tool that fails keeps its result; a server that dies leaves an error", async () => {
  const failed = await play([calls("mcp__test__fail", {}), says("done")], mcp([], APPROVED));
  expect(completed(failed.events, "mcp_tool_call")).toMatchObject([
    { result: { content: [{ type: "text", text: "it failed" }] }, error: null, status: "failed" },
  ]);
  const died = await play([calls("mcp__test__die", {}), says("done")], mcp([], APPROVED));
  expect(completed(died.events, "mcp_tool_call")).toMatchObject([
    { result: null, error: { message: expect.any(String) }, status: "failed" },
  ]);
  expect(died.exitCode).toBe(0);
});

test("a tool that may change something is not called when nobody can be asked", async () => {
  const { events, read } = await play([calls("mcp__test__env", {}), says("done")], mcp());
  expect(completed(events, "mcp_tool_call").filter((item) => item["status"] === "completed")).toEqual([]);
  expect(read).toMatch(/approval/i);
});

test("a server's environment holds no keys of ours", async () => {
  const { events } = await play([calls("mcp__test__env", {}), says("done")], mcp([], APPROVED), {
    OPENAI_API_KEY: "sk-1234567890",
    HARMLESS: "x",
  });
  const [item = {}] = completed(events, "mcp_tool_call");
  const shown = JSON.stringify(item["result"]);
  expect({ key: shown.includes("OPENAI"), path: shown.includes("PATH") }).toEqual({ key: false, path: true });
});

test("a server that can't start is a warning", async () => {
  const { events, exitCode } = await play([says("done")], mcp(["refuse"]));
  expect(exitCode).toBe(0);
  const warnings = completed(events, "error").map((item) => String(item["message"]));
  expect(warnings.filter((message) => message.includes("test"))).toHaveLength(1);
});

test("a required server that can't start ends the run before a request", async () => {
  const { exitCode, stderr, bodies, stdout } = await play([], mcp(["refuse"], ", required = true"));
  expect({ exitCode, requests: bodies.length, started: stdout.includes("turn.started") }).toEqual({
    exitCode: 1,
    requests: 0,
    started: false,
  });
  expect(stderr).toMatch(/test/);
});
