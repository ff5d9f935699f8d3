import { expect, test } from "bun:test";
import { textOf, userText } from "../../src/protocol/items.ts";
import { createSessionStore } from "../../src/sessions/store.ts";
import { appended, callOf, factsOf, resultOf, tempHome, turnStarted } from "./support.ts";

type Event = Parameters<ReturnType<ReturnType<typeof createSessionStore>["create"]>["listener"]>[0];

function commandEnded(callId: string, output: string, exitCode = 0): Event {
  return {
    type: "item.completed",
    callId,
    item: {
      id: `item-${callId}`,
      type: "command_execution",
      status: exitCode === 0 ? "completed" : "failed",
      command: "true",
      cwd: "/",
      output,
      exitCode,
      durationMs: 1,
    },
  };
}

/** The results in the history of a session that stopped after these events. */
async function resultsAfter(...events: Event[]) {
  using home = tempHome();
  const facts = factsOf();
  const store = createSessionStore({ home: home.path });
  const writer = store.create(facts);
  for (const event of [turnStarted("go"), appended(userText("go")), ...events]) writer.listener(event);
  await writer[Symbol.asyncDispose]();
  const { history, damage, writer: again } = await store.open(facts.id);
  await again[Symbol.asyncDispose]();
  const results = history.flatMap((item) =>
    item.type === "tool_result" ? [{ callId: item.callId, ok: item.ok, text: textOf(item.content) }] : [],
  );
  return { results, repaired: damage.repairedCalls };
}

test("a command that was shown as ended keeps its output, though its result waited for a slower one", async () => {
  const slow = appended(callOf("slow"));
  const fast = appended(callOf("fast"));
  expect(await resultsAfter(slow, fast, commandEnded("fast", "out\n", 3))).toEqual({
    results: [
      { callId: "slow", ok: false, text: "aborted" },
      { callId: "fast", ok: false, text: "Process exited with code 3\nOutput:\nout\n" },
    ],
    repaired: 1,
  });
});

test("a result that was recorded counts, not what was shown", async () => {
  const events = [
    appended(callOf("a")),
    commandEnded("a", "shown"),
    appended(resultOf("a", "read by the model")),
  ];
  expect((await resultsAfter(...events)).results).toEqual([
    { callId: "a", ok: true, text: "read by the model" },
  ]);
});

test("a later call with the same id does not inherit the output", async () => {
  const events = [
    appended(callOf("a")),
    commandEnded("a", "first"),
    appended(resultOf("a", "first")),
    appended(userText("more")),
    appended(callOf("a")),
  ];
  expect((await resultsAfter(...events)).results.map(({ text }) => text)).toEqual(["first", "aborted"]);
});

test("a patch and a call of a server that were shown as ended are not called aborted", async () => {
  const patch: Event = {
    type: "item.completed",
    callId: "p",
    item: {
      id: "1",
      type: "file_change",
      status: "completed",
      changes: [{ path: "/w/a.txt", kind: "add", diff: "" }],
    },
  };
  const mcp: Event = {
    type: "item.completed",
    callId: "m",
    item: { id: "2", type: "mcp_tool_call", server: "s", tool: "t", input: {}, status: "completed" },
  };
  const { results } = await resultsAfter(appended(callOf("p")), appended(callOf("m")), patch, mcp);
  expect(results).toEqual([
    { callId: "p", ok: true, text: "The patch ended with the status completed:\nadd /w/a.txt" },
    { callId: "m", ok: true, text: "The call ended with the status completed; what it returned was lost." },
  ]);
});
