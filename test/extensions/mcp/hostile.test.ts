import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Asker } from "../../../src/protocol/questions.ts";
import { callText, start } from "./support.ts";

setDefaultTimeout(120_000);

const SERVER = join(import.meta.dir, "..", "..", "fixtures", "mcp", "hostile.ts");

function hostile(mode: string, more: Record<string, unknown> = {}) {
  return { t: { command: process.execPath, args: [SERVER, mode], ...more } };
}

/** The tools that are offered, and what is said to be wrong. */
async function offered(mode: string) {
  await using started = await start(hostile(mode));
  const [status] = started.clients.statuses();
  return { tools: status?.tools, state: status?.state, reason: status?.reason, faults: status?.faults };
}

test("a tool that is listed two thousand times is offered once", async () => {
  expect(await offered("repeat")).toMatchObject({
    tools: ["same"],
    faults: ["1999 entries of its tool list are left out: each is a tool that stands in it before"],
  });
});

test("a tool whose name nobody could read is left out", async () => {
  expect(await offered("names")).toMatchObject({
    tools: ["go"],
    faults: [
      "2 entries of its tool list are left out: each is not a tool with a name of at most 256 characters",
    ],
  });
});

test("a list without an end is read so far, and the status says so", async () => {
  const { tools, faults } = await offered("endless");
  expect([tools?.length, faults]).toEqual([
    100,
    ["its tool list goes on after 100 entries; the rest is left out"],
  ]);
});

test("a list that is nested without end is refused, and the session goes on", async () => {
  expect(await offered("deep")).toMatchObject({
    state: "failed",
    reason: "the server's answer can't be read: it is nested deeper than 500 levels",
  });
});

test("a schema that would fill every request is cut", async () => {
  await using started = await start(hostile("large"));
  expect(JSON.stringify(started.clients.tools()[0]?.wire).length).toBeLessThan(2_000);
  expect(started.clients.statuses()[0]?.faults).toEqual([
    "the input schema of go is too large: its long texts and lists of choices are cut",
  ]);
});

test("a server that announces changes without end is asked for its tools now and then, and stays of use", async () => {
  await using started = await start(hostile("storm"));
  expect(await callText(started.clients, "go")).toBe("went");
});

test.each([
  ["flood", "it wrote more than 64 MiB that are not messages"],
  ["chatty", "it wrote more than 64 MiB in one line"],
])("a server that writes without end is ended (%s)", async (mode, why) => {
  await using started = await start(hostile(mode));
  expect(await callText(started.clients, "go")).toBe(
    `error: the connection was closed: the server was ended: ${why}`,
  );
});

test.each([
  ["deep-answer", "it is nested deeper than 500 levels"],
  ["wrong-answer", "content: Invalid input: expected array, received number"],
])("an answer that can't be read is called the server's fault (%s)", async (mode, why) => {
  await using started = await start(hostile(mode));
  expect(await callText(started.clients, "go")).toBe(`error: the server's answer can't be read: ${why}`);
});

test("a greeting that is not one is told in one line", async () => {
  expect(await offered("wrong-init")).toMatchObject({
    state: "failed",
    reason: "its answer is not one that the protocol knows",
  });
});

test("progress without end does not hold a call for ever", async () => {
  await using started = await start(hostile("sticky-progress", { tool_timeout_sec: 0.2 }));
  expect(await callText(started.clients, "go")).toMatch(/^error: timed out: no answer within (0\.2|2\.4) s$/);
});

test("of questions without end four at a time reach the person, and the others are declined", async () => {
  let shown = 0;
  const asker: Asker = {
    ask: () => {
      shown += 1;
      return new Promise(() => {});
    },
  };
  await using started = await start(hostile("questions"), {}, { asker });
  const answers: unknown = JSON.parse(await callText(started.clients, "go"));
  expect([answers, shown]).toEqual([Array(16).fill({ action: "decline" }), 4]);
});
