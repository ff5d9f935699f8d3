import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { calls, type FakeChoice, type FakeTurn, says } from "../support/fake-server.ts";
import { openTalk, type Talk } from "./talk.ts";

setDefaultTimeout(120_000);

const MCP_SERVER = join(import.meta.dir, "..", "fixtures", "mcp", "server.ts");
const DOWN = "\u001b[B";
/** The pause that a question nobody called for makes before it takes keys. */
const REST_MS = 350;

const QUESTION = {
  question: "Which database?",
  header: "Database",
  options: [
    { label: "SQLite", description: "one file" },
    { label: "Postgres", description: "a server" },
  ],
  multiSelect: false,
};

function talk(
  turns: readonly (FakeTurn | FakeChoice)[],
  config: string,
  env: Record<string, string> = {},
): Promise<Talk> {
  return openTalk(turns, { wire: "messages", config, env });
}

const ASKS: readonly FakeTurn[] = [calls("AskUserQuestion", { questions: [QUESTION] }), says("ALL-DONE")];
const HARNESS = 'harness = "claude-code"';

function read({ server }: Talk): string {
  return JSON.stringify(server.requests.at(-1)?.body);
}

test("a question of the model is answered from its list, and early keys do not answer it", async () => {
  await using one = await talk(ASKS, HARNESS);
  one.tui.type("go\r");
  await one.tui.until("something else, in your own words");
  expect(one.tui.screen).toContain("Postgres  a server");
  one.tui.type("\r"); // too early
  await Bun.sleep(REST_MS);
  one.tui.type(`${DOWN}\r`);
  await one.tui.until("ALL-DONE");
  expect(read(one)).toMatch(/Which database\?[^"]*Postgres/);
  one.tui.type("a draft");
  await one.tui.until("› a draft");
});

test("a question can be answered in other words, and put aside with Esc while the turn goes on", async () => {
  await using one = await talk([...ASKS, ...ASKS], HARNESS);
  one.tui.type("go\r");
  await one.tui.until("something else");
  await Bun.sleep(REST_MS);
  one.tui.type("3");
  await one.tui.until("In your own words");
  one.tui.type("a text file\r");
  await one.tui.until("ALL-DONE");
  expect(read(one)).toContain("a text file");
  await one.tui.until(/^› Ask/m);
  one.tui.type("again\r");
  await one.tui.until((screen) => screen.split("something else").length === 2);
  await Bun.sleep(REST_MS);
  one.tui.type("\u001b");
  await one.tui.until((screen) => screen.split("ALL-DONE").length === 3);
  expect(read(one)).toContain("does not want to answer");
});

test("a draft is kept while a question is open, and a key in its first moment says nothing", async () => {
  const isWritten = Promise.withResolvers<void>();
  const asks = async () => {
    await isWritten.promise;
    return calls("AskUserQuestion", { questions: [QUESTION] });
  };
  await using one = await talk([asks, says("ALL-DONE")], HARNESS);
  one.tui.type("go\r");
  await one.tui.until("esc stops");
  one.tui.type("half a draft");
  await one.tui.until("› half a draft");
  isWritten.resolve();
  await one.tui.until("something else");
  one.tui.type("\u001b");
  await Bun.sleep(REST_MS);
  one.tui.type("1");
  await one.tui.until("ALL-DONE");
  await one.tui.until("› half a draft");
  expect(read(one)).toMatch(/Which database\?[^"]*SQLite/);
});

test("a question waits until a list that the user has opened is closed", async () => {
  const isOpen = Promise.withResolvers<void>();
  const asks = async () => {
    await isOpen.promise;
    return calls("AskUserQuestion", { questions: [QUESTION] });
  };
  await using one = await talk([asks, says("ALL-DONE")], `${HARNESS}\ntui = { animations = false }`);
  one.tui.type("go\r");
  await one.tui.until("esc stops");
  one.tui.type("/permissions\r");
  await one.tui.until("What commands may do");
  isOpen.resolve();
  await Bun.sleep(REST_MS); // the call comes meanwhile
  expect(one.tui.screen).not.toContain("Which database?");
  one.tui.type("\u001b");
  await one.tui.until("Which database?");
  await Bun.sleep(REST_MS);
  one.tui.type("1");
  await one.tui.until("ALL-DONE");
});

test("in lines, a question has numbers, and Ctrl+C puts it aside", async () => {
  await using one = await talk([...ASKS, ...ASKS], HARNESS, { TERM: "dumb" });
  one.tui.type("go\n");
  await one.tui.until("answer with a number, Enter for 1:");
  expect(one.tui.screen).toMatch(
    /needs answer: Which database\?\n {2}1\. SQLite {4}one file\n {2}2\. Postgres/,
  );
  one.tui.type("2\n");
  await one.tui.until("ALL-DONE");
  expect(read(one)).toMatch(/Which database\?[^"]*Postgres/);
  await one.tui.until((screen) => screen.trimEnd().endsWith("\n>"));
  one.tui.type("again\n");
  await one.tui.until((screen) => screen.split("answer with a number").length === 3);
  one.tui.type("\u0003");
  await one.tui.until((screen) => screen.split("ALL-DONE").length === 3);
  expect(read(one)).toContain("does not want to answer");
});

const SERVERS = `mcp_servers = { test = { command = ${JSON.stringify(process.execPath)}, args = ${JSON.stringify(
  [MCP_SERVER],
)}, default_tools_approval_mode = "approve" } }`;

function elicits(params: unknown): FakeTurn[] {
  return [calls("mcp__test__ask", { method: "elicitation/create", params }), says("ALL-DONE")];
}

test("a form of an MCP server is filled in", async () => {
  const requestedSchema = {
    type: "object",
    properties: { name: { type: "string", title: "Your name" }, size: { type: "string", enum: ["S", "L"] } },
    required: ["name"],
  };
  await using one = await talk(elicits({ message: "Who orders?", requestedSchema }), SERVERS);
  one.tui.type("go\r");
  await one.tui.until("Your name");
  expect(one.tui.screen).toContain("test: Who orders?");
  await Bun.sleep(REST_MS);
  one.tui.type("Ada\r");
  await one.tui.until("something else");
  one.tui.type("2");
  await one.tui.until("ALL-DONE");
  expect(read(one)).toContain('{\\"name\\":\\"Ada\\",\\"size\\":\\"L\\"}');
});

test.each([
  ["1", "accept"],
  ["2", "decline"],
  ["\u001b", "cancel"],
])("an address of an MCP server is shown whole, and %j is %s", async (key, action) => {
  const url = `https://example.invalid/${"x".repeat(90)}`;
  const params = { mode: "url", elicitationId: "e1", message: "Sign in", url };
  await using one = await talk(elicits(params), SERVERS);
  one.tui.type("go\r");
  await one.tui.until("something else");
  expect(one.tui.screen.replace(/\s+│\s+/g, "").replaceAll("\n", "")).toContain(url);
  await Bun.sleep(REST_MS);
  one.tui.type(key);
  await one.tui.until("ALL-DONE");
  expect(read(one)).toContain(`{\\"action\\":\\"${action}\\"`);
});

test("Ctrl+Z suspends from a question too, which is there again afterwards", async () => {
  await using one = await talk(ASKS, HARNESS);
  const { tui } = one;
  tui.type("go\r");
  await tui.until("something else, in your own words");
  tui.type("\u001a");
  await tui.until(() => !tui.terminal.modes.has("2004"));
  tui.signal("SIGCONT");
  await tui.until((screen) => screen.split("◆  Which database?").length === 3);
  await Bun.sleep(REST_MS);
  tui.type("\r");
  await tui.until("ALL-DONE");
});
