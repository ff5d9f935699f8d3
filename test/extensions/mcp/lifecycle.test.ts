import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMcp } from "../../../src/extensions/mcp/clients.ts";
import { processes } from "./processes.ts";
import { serversOf, start, testServer } from "./support.ts";

test("a required server that cannot be started ends the start, and the others with it", async () => {
  const starting = start({
    broken: { command: "no-such-program-here", required: true },
    fine: testServer(["marker=required"]),
  });
  await expect(starting).rejects.toMatchObject({
    code: "config",
    message: expect.stringMatching(
      /^required MCP servers failed to initialize: broken: .*no-such-program-here/,
    ),
  });
  expect(processesWith("marker=required")).toEqual([]);
});

test("an optional server that cannot be started is a warning with its reason", async () => {
  await using started = await start({ broken: testServer(["refuse"]), t: testServer() });
  expect(started.warnings).toEqual([
    "MCP server broken could not be started: it exited with code 3; its last words: no license found",
  ]);
  expect(started.clients.statuses().map(({ name, state }) => [name, state])).toEqual([
    ["broken", "failed"],
    ["t", "ready"],
  ]);
});

test("a program that reads nothing and ends at once is told by its exit code", async () => {
  await using started = await start({ broken: { command: "true" } });
  expect(started.warnings).toEqual(["MCP server broken could not be started: it exited with code 0"]);
});

test("a server that does not answer is given up after its own start-up time", async () => {
  await using started = await start({ t: testServer(["silent"], { startup_timeout_ms: 100 }) });
  expect(started.warnings).toEqual([expect.stringMatching(/^MCP server t .*(not ready|in time)/)]);
  expect(started.clients.tools()).toEqual([]);
});

test("a server that takes a moment to start is waited for", async () => {
  await using started = await start({ t: testServer(["delay=300"]) });
  expect(started.warnings).toEqual([]);
  expect(started.clients.tools()).not.toEqual([]);
});

test("a disabled server is not started", async () => {
  await using started = await start({ t: { command: "no-such-program-here", enabled: false } });
  expect(started.clients.statuses()).toEqual([]);
});

test.each([["plain"], ["stubborn"], ["wrapper"]])(
  "closing leaves no process behind (%s server)",
  async (mode) => {
    const marker = `marker=close-${mode}`;
    const started = await start({ t: testServer([mode, marker]) });
    const pids = processesWith(marker);
    expect(pids).toHaveLength(1);
    const family = [...pids, ...pids.flatMap(childrenOf)];
    expect(family).toHaveLength(mode === "wrapper" ? 2 : 1);
    await started.clients.close();
    expect(family.filter(isAlive)).toEqual([]);
  },
);

test("a server that is still starting when the session ends is ended too", async () => {
  const stop = new AbortController();
  const starting = startMcp(
    {
      servers: serversOf({ t: testServer(["silent", "marker=starting"], { required: true }) }),
      env: { PATH: process.env["PATH"] },
      cwd: tmpdir(),
      clientVersion: "1",
      onWarning: () => undefined,
    },
    stop.signal,
  );
  stop.abort();
  await expect(starting).rejects.toThrow("required MCP servers failed to initialize: t");
  expect(processesWith("marker=starting")).toEqual([]);
});

test("a program whose servers are closed ends by itself", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcp-exit-"));
  const program = join(folder, "program.ts");
  const support = JSON.stringify(join(import.meta.dir, "support.ts"));
  await Bun.write(
    program,
    `const { start, testServer, callText } = await import(${support});
     const { clients } = await start({ t: testServer() });
     console.log(await callText(clients, "echo"));
     await clients.close();`,
  );
  const child = Bun.spawn([process.execPath, program], { stdout: "pipe", stderr: "inherit" });
  expect([await new Response(child.stdout).text(), await child.exited]).toEqual(["echo {}\n", 0]);
  await rm(folder, { recursive: true });
});

function processesWith(marker: string): number[] {
  return processes()
    .filter(({ args }) => args.includes(marker))
    .map(({ pid }) => pid);
}

function childrenOf(parent: number): number[] {
  return processes()
    .filter((one) => one.parent === parent)
    .map(({ pid }) => pid);
}

function isAlive(pid: number): boolean {
  return processes().some((one) => one.pid === pid);
}
