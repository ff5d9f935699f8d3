import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Asker } from "../../../src/protocol/questions.ts";
import { callText, outcomeText, start, testServer } from "./support.ts";

test("a tool of a stdio server is offered and can be called", async () => {
  await using started = await start({ t: testServer() });
  const { clients, warnings } = started;
  expect(clients.tools()[0]).toEqual({
    wire: {
      kind: "function",
      name: "mcp__t__echo",
      description: "Does echo.",
      parameters: { type: "object", properties: {} },
      strict: false,
    },
    server: "t",
    tool: "echo",
    readOnly: true,
    needsApproval: false,
    parallel: false,
  });
  expect(await callText(clients, "echo", { a: 1 })).toBe('echo {"a":1}');
  expect(warnings).toEqual([]);
});

test("a server sees the core variables and its own, and nothing else of our environment", async () => {
  const config = testServer([], { env: { OWN: "1" }, env_vars: ["PASSED", { name: "NAMED" }] });
  await using started = await start({ t: config }, { PASSED: "1", NAMED: "1", MOCK_API_KEY: "k", LANG: "C" });
  expect(await callText(started.clients, "env")).toBe("HOME LANG NAMED OWN PASSED PATH");
});

test("lines on stdout that are not messages are skipped", async () => {
  await using started = await start({ t: testServer(["noise"]) });
  expect(await callText(started.clients, "echo")).toBe("echo {}");
});

test("messages in lists, and byte order marks before them, are understood", async () => {
  await using started = await start({ t: testServer(["lists"]) });
  expect(await callText(started.clients, "echo")).toBe("echo {}");
});

test("a server that refuses to start up by itself is reported in its own words", async () => {
  await using started = await start({ t: testServer(["broken"]) });
  expect(started.warnings).toEqual([expect.stringContaining("no license")]);
});

test("a result of many megabytes arrives whole", async () => {
  await using started = await start({ t: testServer() });
  const result = await callText(started.clients, "big", { bytes: 12_000_000 });
  expect([result.length, result.slice(-3)]).toEqual([12_000_003, "END"]);
});

test("a tool's own failure is a result, not an error", async () => {
  await using started = await start({ t: testServer() });
  const outcome = await started.clients.call(
    { server: "t", tool: "fail", input: {} },
    new AbortController().signal,
  );
  expect(outcome).toEqual({
    durationMs: expect.any(Number),
    result: { content: [{ type: "text", text: "it failed" }], isError: true },
  });
});

test("a server that dies during a call is reported with its last words, and started again for the next call", async () => {
  await using started = await start({ t: testServer() });
  const { clients } = started;
  expect(await callText(clients, "die")).toBe(
    "error: the connection was closed: the server exited with code 1; its last words: out of luck",
  );
  expect(await callText(clients, "echo")).toBe("echo {}");
  expect(await callText(clients, "die")).toStartWith("error: the connection was closed");
  expect(await callText(clients, "die")).toStartWith("error: the connection was closed");
  expect(await callText(clients, "echo")).toBe(
    "error: MCP server t exited with code 1; its last words: out of luck. It died twice in a row and is not started again",
  );
});

test("a call that takes longer than tool_timeout_sec is given up", async () => {
  await using started = await start({ t: testServer([], { tool_timeout_sec: 0.1 }) });
  expect(await callText(started.clients, "hang")).toBe("error: timed out: no answer within 0.1 s");
});

test("a server that reports progress may take longer than the time-out", async () => {
  await using started = await start({ t: testServer([], { tool_timeout_sec: 3 }) });
  expect(await callText(started.clients, "progress", { steps: 20 })).toBe("done after all");
});

test("an interrupted call ends at once, the server is told and goes on", async () => {
  await using started = await start({ t: testServer() });
  const stop = new AbortController();
  const call = callText(started.clients, "hang", {}, stop.signal);
  // The server reads in order: it has the first call when it answers the second.
  await callText(started.clients, "echo");
  stop.abort();
  expect(await call).toBe("error: interrupted");
  expect(await callText(started.clients, "echo")).toBe("echo {}");
  expect(await callText(started.clients, "die")).toContain("its last words: cancelled\nout of luck");
});

test("tools that a server announces with an answer are offered right after it", async () => {
  await using started = await start({ t: testServer() });
  const { clients } = started;
  const names = () => clients.tools().map(({ tool }) => tool);
  expect(names()).not.toContain("late");
  await callText(clients, "announce");
  expect(names()).toContain("late");
});

test("all pages of a list are read, once, even when the last one points at itself", async () => {
  await using started = await start({ t: testServer(["pages"]) });
  const names = started.clients.tools().map(({ tool }) => tool);
  expect(names.slice(0, 10)).toEqual([
    "echo",
    "env",
    "fail",
    "structured",
    "big",
    "die",
    "hang",
    "announce",
    "progress",
    "ask",
  ]);
});

test("a request of the server that we don't serve is refused, not left open", async () => {
  await using started = await start({ t: testServer() });
  const sampling = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
  expect(await callText(started.clients, "ask", sampling)).toContain("-32601");
  const form = { method: "elicitation/create", params: { message: "?", requestedSchema: FORM } };
  expect(await callText(started.clients, "ask", form)).toContain("-32601");
});

test("a server is told the session's folder, and those added to it, as its roots", async () => {
  await using started = await start({ t: testServer() }, {}, { roots: ["/srv/more"] });
  const uri = pathToFileURL(tmpdir()).href;
  expect(JSON.parse(await callText(started.clients, "ask", { method: "roots/list" }))).toEqual({
    roots: [
      { uri, name: basename(tmpdir()) },
      { uri: "file:///srv/more", name: "more" },
    ],
  });
});

const FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

test("what a server wants to know is asked of the person, in the words of the server", async () => {
  const asked: unknown[] = [];
  const asker: Asker = {
    ask: async (questions) => {
      asked.push(...questions);
      return [{ labels: [], text: "Ada" }];
    },
  };
  await using started = await start({ t: testServer() }, {}, { asker });
  const form = { method: "elicitation/create", params: { message: "Who are you?", requestedSchema: FORM } };
  expect(JSON.parse(await callText(started.clients, "ask", form))).toEqual({
    action: "accept",
    content: { name: "Ada" },
  });
  expect(asked).toEqual([
    { question: "t: Who are you?\nname", header: "name", options: [], isMultiple: false },
  ]);
});

test("arguments that are not an object are refused before the server is asked", async () => {
  await using started = await start({ t: testServer() });
  expect(await callText(started.clients, "echo", "text")).toStartWith("error: wrong arguments");
});

test("a server that knows only the newer revision of the protocol is understood", async () => {
  await using started = await start({ t: testServer(["modern"], { required: true }) });
  expect(await callText(started.clients, "echo", { a: 1 })).toBe('echo {"a":1}');
});

test("resources can be listed and read, their bytes left out", async () => {
  await using started = await start({ t: testServer(["resources"]), u: testServer() });
  const { clients } = started;
  const use = async (tool: string, input: unknown) =>
    outcomeText(await clients.call({ server: "", tool, input }, new AbortController().signal));
  expect(
    clients
      .tools()
      .slice(-3)
      .map(({ wire, server }) => [wire.name, server]),
  ).toEqual([
    ["list_mcp_resources", ""],
    ["list_mcp_resource_templates", ""],
    ["read_mcp_resource", ""],
  ]);
  expect(JSON.parse(await use("list_mcp_resources", {}))).toEqual({
    resources: [{ server: "t", uri: "test://note", name: "note" }],
  });
  expect(JSON.parse(await use("list_mcp_resource_templates", { server: "t" }))).toEqual({
    server: "t",
    resourceTemplates: [{ uriTemplate: "test://{name}", name: "by name" }],
  });
  expect(JSON.parse(await use("read_mcp_resource", { server: "t", uri: "test://note" }))).toEqual({
    server: "t",
    uri: "test://note",
    contents: [
      { uri: "test://note", text: "a note" },
      { uri: "test://note", blob: "3 bytes, left out" },
    ],
  });
  expect(await use("read_mcp_resource", { server: "x", uri: "y" })).toBe(
    'error: there is no MCP server "x"; known: t, u',
  );
});
