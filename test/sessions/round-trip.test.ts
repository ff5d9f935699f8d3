import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { TurnEvent } from "../../src/protocol/events.ts";
import { assistantText, developerText, type Item, userText } from "../../src/protocol/items.ts";
import { createSessionStore } from "../../src/sessions/store.ts";
import { randomFrom, randomHistory } from "./random.ts";
import {
  appended,
  callOf,
  factsOf,
  filesBelow,
  flaws,
  linesOf,
  resultOf,
  tempHome,
  turn,
  turnCompleted,
  turnStarted,
} from "./support.ts";

const NOW = new Date("2026-03-04T05:06:08.123Z");

async function record(home: string, facts: ReturnType<typeof factsOf>, events: readonly TurnEvent[]) {
  const store = createSessionStore({ home, now: () => NOW });
  await using writer = store.create(facts);
  for (const event of events) writer.listener(event);
  return writer.path;
}

test("every item comes back from the file as it was", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    using home = tempHome();
    const items = randomHistory(randomFrom(seed), 12);
    expect(flaws(items)).toEqual([]);
    const facts = factsOf();
    await record(home.path, facts, [turnStarted("go"), ...items.map(appended), turnCompleted("")]);
    const opened = await createSessionStore({ home: home.path }).open(facts.id);
    expect(opened.history).toStrictEqual(items);
    expect(opened.damage).toEqual({ lines: 0, repairedCalls: 0 });
  }
});

test("items written over many resumes come back in one history", async () => {
  using home = tempHome();
  const store = createSessionStore({ home: home.path });
  const facts = factsOf();
  const items = randomHistory(randomFrom(99), 40);
  {
    await using writer = store.create(facts);
    for (const event of [turnStarted("go"), ...items.slice(0, 10).map(appended)]) writer.listener(event);
  }
  for (let from = 10; from < items.length; from += 10) {
    const { writer } = await store.open(facts.id);
    for (const event of [turnStarted("on"), ...items.slice(from, from + 10).map(appended)])
      writer.listener(event);
    await writer[Symbol.asyncDispose]();
  }
  const opened = await store.open(facts.id);
  expect(opened.history).toStrictEqual(items);
  expect(opened.damage).toEqual({ lines: 0, repairedCalls: 0 });
  expect(linesOf(opened.writer.path).map((line) => line.ordinal)).toEqual(
    linesOf(opened.writer.path).map((_, index) => index),
  );
});

test("a session is recorded with its facts, settings, items and events, in order", async () => {
  using home = tempHome();
  const facts = factsOf({ instructions: "be brief", git: { commit: "abc", branch: "main" }, title: "T" });
  const usage = { input: 10, cachedInput: 2, cacheWrite: 1, output: 5, reasoning: 3 };
  const path = await record(home.path, facts, [
    { type: "session.started", session: facts },
    appended(developerText("rules")),
    turnStarted("look"),
    appended(userText("look")),
    { type: "item.started", item: { id: "i1", type: "agent_message", text: "" } },
    { type: "item.delta", id: "i1", field: "text", delta: "d" },
    appended({ type: "message", role: "assistant", content: [], phase: "final_answer" }),
    appended({ type: "reasoning", summary: ["s"], text: "t", sealed: { wire: "messages", data: "x" } }),
    appended(callOf("c1")),
    appended({ type: "tool_call", callId: "c2", name: "apply_patch", input: { kind: "text", raw: "***" } }),
    appended(resultOf("c1", "out")),
    appended(resultOf("c2", "bad", false)),
    { type: "item.completed", item: { id: "i1", type: "agent_message", text: "hi" } },
    { type: "item.completed", item: { id: "i2", type: "reasoning", text: "thought" } },
    { type: "usage", turn: usage, total: usage, last: usage, contextWindow: 1000 },
    { type: "warning", message: "w" },
    turnCompleted("hi"),
  ]);
  expect(relative(home.path, path)).toMatch(
    /^sessions.2026.03.\d\d.rollout-2026-03-\d\dT\d\d-\d\d-07-[0-9a-f-]{36}\.jsonl$/,
  );
  const tokens = {
    input_tokens: 10,
    cached_input_tokens: 2,
    cache_write_input_tokens: 1,
    output_tokens: 5,
    reasoning_output_tokens: 3,
    total_tokens: 15,
  };
  const args = '{"cmd":"echo c1"}';
  const message = (role: string, type: string, text: string) => ({
    type: "message",
    role,
    content: [{ type, text }],
  });
  const expected = [
    [
      "session_meta",
      {
        id: facts.id,
        session_id: facts.id,
        timestamp: facts.createdAt,
        cwd: facts.cwd,
        originator: facts.originator,
        cli_version: "0.1.0",
        source: "exec",
        model_provider: "mock",
        git: { commit_hash: "abc", branch: "main" },
        base_instructions: { text: "be brief" },
      },
      { model: "mock-1", harness: "native", title: "T" },
    ],
    ["response_item", message("developer", "input_text", "rules")],
    ["event_msg", { type: "task_started", turn_id: "turn-1" }],
    [
      "turn_context",
      {
        turn_id: "turn-1",
        cwd: facts.cwd,
        approval_policy: "never",
        sandbox_policy: { type: "read-only", network_access: false },
        model: "mock-1",
        effort: "low",
        summary: "auto",
      },
      { provider: "mock", harness: "native" },
    ],
    ["event_msg", { type: "user_message", message: "look" }],
    ["response_item", message("user", "input_text", "look")],
    ["response_item", { type: "message", role: "assistant", content: [] }, { phase: "final_answer" }],
    [
      "response_item",
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "s" }],
        content: [{ type: "reasoning_text", text: "t" }],
        encrypted_content: "x",
      },
      { sealed_wire: "messages" },
    ],
    ["response_item", { type: "function_call", name: "exec_command", arguments: args, call_id: "c1" }],
    ["response_item", { type: "custom_tool_call", name: "apply_patch", input: "***", call_id: "c2" }],
    ["response_item", { type: "function_call_output", call_id: "c1", output: "out" }, { ok: true }],
    ["response_item", { type: "custom_tool_call_output", call_id: "c2", output: "bad" }, { ok: false }],
    ["event_msg", { type: "agent_message", id: "i1", message: "hi" }],
    ["event_msg", { type: "agent_reasoning", id: "i2", text: "thought" }],
    [
      "event_msg",
      {
        type: "token_count",
        info: { total_token_usage: tokens, last_token_usage: tokens, model_context_window: 1000 },
        rate_limits: null,
      },
    ],
    ["event_msg", { type: "task_complete", turn_id: "turn-1", last_agent_message: "hi", duration_ms: 12 }],
  ].map(([type, payload, metadata], ordinal) => ({
    timestamp: "2026-03-04T05:06:08.123Z",
    ordinal,
    type,
    payload,
    ...(metadata === undefined ? {} : { metadata }),
  }));
  expect<unknown[]>(linesOf(path)).toEqual(expected);
});

test("a resumed session knows its facts, usage and last settings", async () => {
  using home = tempHome();
  const facts = factsOf({
    instructions: "x",
    git: { repository: "r" },
    title: "T",
    parent: "p",
    forkedFrom: "f",
  });
  const usage = { input: 10, cachedInput: 2, cacheWrite: 1, output: 5, reasoning: 3 };
  await record(home.path, facts, [
    ...turn("one", [assistantText("1")]),
    { type: "usage", turn: usage, total: usage, last: usage, contextWindow: 1000 },
    turnStarted("two", {
      model: "mock-2",
      effort: "high",
      cwd: "/elsewhere",
      sandboxMode: "workspace-write",
    }),
  ]);
  const { writer, history, ...opened } = await createSessionStore({ home: home.path }).open(facts.id);
  expect(history).toEqual([userText("one"), assistantText("1")]);
  expect(opened).toEqual({
    facts,
    usage,
    answers: 1,
    damage: { lines: 0, repairedCalls: 0 },
    lastContext: {
      cwd: "/elsewhere",
      provider: "mock",
      model: "mock-2",
      harness: "native",
      effort: "high",
      approvals: "never",
      sandboxMode: "workspace-write",
    },
  });
});

test("each sandbox is recorded in its own words", async () => {
  using home = tempHome();
  const path = await record(home.path, factsOf(), [
    turnStarted("1", { sandboxMode: "danger-full-access", sandbox: { mode: "off" } }),
    turnStarted("2", { sandboxMode: "external-sandbox", sandbox: { mode: "external", network: true } }),
    turnStarted("3", {
      sandboxMode: "workspace-write",
      sandbox: {
        mode: "restricted",
        read: "everything",
        write: ["/home/me/project", "/tmp"],
        protect: [],
        deny: [],
        network: true,
      },
    }),
  ]);
  const contexts = linesOf(path).filter((line) => line.type === "turn_context");
  expect(contexts.map((line) => line.payload)).toMatchObject([
    { sandbox_policy: { type: "danger-full-access" } },
    { sandbox_policy: { type: "external-sandbox", network_access: "enabled" } },
    {
      sandbox_policy: {
        type: "workspace-write",
        writable_roots: ["/home/me/project", "/tmp"],
        network_access: true,
      },
    },
  ]);
});

test("after a compaction only what replaced the history, and what came later, counts", async () => {
  using home = tempHome();
  const facts = factsOf();
  const kept: Item[] = [
    userText("first"),
    { type: "compaction", summary: "so far", replaced: 7 },
    {
      type: "tool_call",
      callId: "k",
      name: "t",
      input: { kind: "text", raw: "x" },
      sealed: { wire: "chat", data: '{"google":{"thought_signature":"S"}}' },
    },
    { type: "tool_result", callId: "k", content: [], ok: false },
  ];
  const path = await record(home.path, facts, [
    ...turn("first", [callOf("a"), resultOf("a", "1"), assistantText("done")]),
    { type: "compacted", before: 900, after: 100, summary: "so far", history: kept },
    ...turn("second", [assistantText("2")]),
  ]);
  const opened = await createSessionStore({ home: home.path }).open(facts.id);
  expect(opened.history).toStrictEqual([...kept, userText("second"), assistantText("2")]);
  expect(linesOf(path).map((line) => line.type)).toContain("compacted");
});

test("how a turn failed or was stopped is recorded", async () => {
  using home = tempHome();
  const error = { code: "model.rejected", message: "no", retryable: false } as const;
  const path = await record(home.path, factsOf(), [
    turnStarted("1"),
    { type: "turn.failed", turnId: "t1", error },
    turnStarted("2"),
    { type: "turn.aborted", turnId: "t2", reason: "interrupted" },
  ]);
  expect(linesOf(path).map((line) => line.payload)).toMatchObject([
    {},
    { type: "task_started" },
    {},
    { type: "user_message" },
    {
      type: "task_complete",
      turn_id: "t1",
      last_agent_message: null,
      error: { code: "model.rejected", message: "no" },
    },
    { type: "task_started" },
    {},
    { type: "user_message" },
    { type: "turn_aborted", turn_id: "t2", reason: "interrupted" },
  ]);
});

test("a big tool output is stored once", async () => {
  using home = tempHome();
  const output = "x".repeat(200_000);
  const path = await record(home.path, factsOf(), [
    turnStarted("go"),
    appended(callOf("c")),
    appended(resultOf("c", output)),
    {
      type: "item.completed",
      item: {
        id: "i",
        type: "command_execution",
        status: "completed",
        command: "c",
        cwd: "/",
        output,
        durationMs: 1,
      },
    },
  ]);
  expect(statSync(path).size).toBeLessThan(210_000);
  expect(readFileSync(path, "utf8")).toContain('"status":"completed"');
});

test("nothing is on disk before the first turn, and nothing at all of a session without one", async () => {
  using home = tempHome();
  const writer = createSessionStore({ home: home.path }).create(factsOf());
  writer.listener({ type: "warning", message: "w" });
  writer.listener(appended(developerText("context")));
  await writer.flush();
  expect(filesBelow(home.path)).toEqual([]);
  writer.listener(turnStarted("go"));
  expect(linesOf(writer.path).map((line) => line.type)).toEqual([
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "event_msg",
  ]);
  await writer[Symbol.asyncDispose]();
  expect(filesBelow(join(home.path, "session-locks"))).toEqual([]);
});

test("a resumed session without a new turn leaves its file as it is", async () => {
  using home = tempHome();
  const facts = factsOf();
  const path = await record(home.path, facts, turn("one", [assistantText("1")]));
  const before = readFileSync(path);
  const store = createSessionStore({ home: home.path });
  const { writer } = await store.open(facts.id);
  writer.listener({ type: "session.started", session: facts });
  writer.listener(appended(developerText("context")));
  await writer[Symbol.asyncDispose]();
  expect(readFileSync(path)).toEqual(before);
});
