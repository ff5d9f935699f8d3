import { expect, test } from "bun:test";
import { appendFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { assistantText, developerText, type Item, userText } from "../../src/protocol/items.ts";
import { Replay, replayFile } from "../../src/sessions/replay.ts";
import { tempHome } from "./support.ts";

const FIXTURES = join(import.meta.dir, "../fixtures/rollouts");
const KNOWN = { id: "019b2c00-1111-7222-8333-444455556666", createdAt: "2025-09-01T10:00:00.000Z" };
const ENVIRONMENT = userText("<environment_context></environment_context>");

const SHELL: Item[] = [
  {
    type: "tool_call",
    callId: "s1",
    name: "local_shell",
    input: { kind: "json", raw: '{"type":"exec","command":["ls"]}' },
  },
  { type: "tool_result", callId: "s1", content: [{ type: "input_text", text: "a b" }], ok: true },
];

const rolledBack = (count: number) =>
  `{"timestamp":"","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":${count}}}\n`;

async function oldHistoryAfter(lines: string): Promise<Item[]> {
  using home = tempHome();
  const path = join(home.path, "copy.jsonl");
  copyFileSync(join(FIXTURES, "without-turn-starts.jsonl"), path);
  appendFileSync(path, lines);
  return (await replayFile(path, KNOWN)).history;
}

/** A turn with one word from the user and one from the model, as lines. */
function replayOf(...lines: { type: string; payload: unknown }[]): Item[] {
  const replay = new Replay();
  for (const line of lines) replay.add({ timestamp: "2026-01-01T00:00:00.000Z", ...line });
  return replay.finish(KNOWN).history;
}

const event = (type: string, more = {}) => ({ type: "event_msg", payload: { type, ...more } });
const says = (role: string, text: string) => ({
  type: "response_item",
  payload: {
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
  },
});
const exchange = (text: string) => [
  event("task_started"),
  says("user", text),
  says("assistant", `re: ${text}`),
];

test("a file of another program that writes this format is understood", async () => {
  expect(await replayFile(join(FIXTURES, "paginated.jsonl"), KNOWN)).toStrictEqual({
    facts: {
      id: KNOWN.id,
      cwd: "/srv/app",
      createdAt: "2026-10-05T08:30:00.000Z",
      provider: "mock",
      model: "mock-2",
      harness: "native",
      originator: "codex_exec",
      source: "tui",
      cliVersion: "0.171.0",
      instructions: "You write code.",
      git: { commit: "0123abcd", branch: "main", repository: "https://example.org/app.git" },
    },
    factsFound: true,
    turns: ["count the files", "delete them"],
    history: [
      developerText("Sandbox: read only."),
      userText("<environment_context><cwd>/srv/app</cwd></environment_context>"),
      userText("count the files"),
      {
        type: "reasoning",
        summary: ["list first"],
        sealed: { wire: "responses", data: "c2VhbGVk" },
        id: "rs_1",
      },
      {
        type: "tool_call",
        callId: "call_1",
        name: "exec_command",
        input: { kind: "json", raw: '{"cmd":"ls | wc -l"}' },
        id: "fc_1",
      },
      { type: "tool_result", callId: "call_1", content: [{ type: "input_text", text: "7\n" }], ok: true },
      {
        type: "opaque",
        wire: "responses",
        raw: {
          type: "web_search_call",
          id: "ws_1",
          status: "completed",
          action: { type: "search", query: "q" },
        },
      },
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "There are 7." }],
        id: "msg_1",
        phase: "final_answer",
      },
      userText("delete them"),
      {
        type: "tool_call",
        callId: "call_2",
        name: "apply_patch",
        input: { kind: "text", raw: "*** Begin Patch\n*** End Patch" },
        id: "ct_1",
      },
      {
        type: "tool_result",
        callId: "call_2",
        content: [{ type: "input_text", text: "aborted" }],
        ok: false,
      },
    ],
    usage: { input: 50, cachedInput: 4, cacheWrite: 0, output: 9, reasoning: 1 },
    answers: 2,
    damage: { lines: 0, repairedCalls: 1 },
    lastContext: {
      cwd: "/srv/app",
      model: "mock-2",
      effort: "high",
      approvals: "on-request",
      sandboxMode: "workspace-write",
    },
    nextOrdinal: 24,
    records: 24,
  });
});

test("an old file keeps the user's words and the summary of a compaction without a replacement", async () => {
  expect(await oldHistoryAfter("")).toEqual([
    ENVIRONMENT,
    userText("one"),
    userText("one was answered"),
    userText("two"),
    assistantText("answer two"),
    userText("three"),
    assistantText("answer three"),
  ]);
});

test("a rollback takes turns away, also those that a compaction has summed up", async () => {
  const untilTwo = [
    ENVIRONMENT,
    userText("one"),
    userText("one was answered"),
    userText("two"),
    assistantText("answer two"),
  ];
  expect(await oldHistoryAfter(rolledBack(1))).toEqual(untilTwo);
  expect(await oldHistoryAfter(rolledBack(1) + rolledBack(1))).toEqual(untilTwo.slice(0, 3));
  expect(await oldHistoryAfter(rolledBack(3))).toEqual([ENVIRONMENT]);
  expect(await oldHistoryAfter(rolledBack(100))).toEqual([ENVIRONMENT]);
  expect(await oldHistoryAfter(rolledBack(0))).toHaveLength(7);
});

test("a rollback of a turn that was compacted brings back what was there before it", () => {
  const compacted = { type: "compacted", payload: { message: "s", replacement_history: [] } };
  const before = [userText("1"), assistantText("re: 1")];
  const lines = [
    ...exchange("1"),
    event("task_started"),
    says("user", "2"),
    compacted,
    says("assistant", "late"),
  ];
  expect(replayOf(...lines)).toEqual([assistantText("late")]);
  expect(replayOf(...lines, event("thread_rolled_back", { num_turns: 1 }))).toEqual(before);
  expect(replayOf(...lines, event("thread_rolled_back", { num_turns: 1 }), ...exchange("3"))).toEqual([
    ...before,
    userText("3"),
    assistantText("re: 3"),
  ]);
});

test("a message that a turn begins with does not count as a turn of its own", () => {
  const lines = ["1", "2", "3"].flatMap((text) => [
    event("task_started"),
    event("user_message", { message: text }),
    says("user", text),
  ]);
  expect(replayOf(...lines, event("thread_rolled_back", { num_turns: 2 }))).toEqual([userText("1")]);
});

test("a message sent while a turn runs counts as a turn of its own", () => {
  const lines = [
    event("task_started"),
    event("user_message", { message: "1" }),
    says("user", "1"),
    says("assistant", "re: 1"),
    says("user", "2"),
    event("user_message", { message: "2" }),
    says("assistant", "re: 2"),
  ];
  const first = [userText("1"), assistantText("re: 1")];
  expect(replayOf(...lines, event("thread_rolled_back", { num_turns: 1 }))).toEqual(first);
});

test("calls to a shell of old are calls like others", () => {
  const shell = [
    {
      type: "response_item",
      payload: { type: "local_shell_call", call_id: "s1", action: { type: "exec", command: ["ls"] } },
    },
    {
      type: "response_item",
      payload: { type: "function_call_output", call_id: "s1", output: { content: "a b", success: true } },
    },
  ];
  expect(replayOf(...shell)).toEqual(SHELL);
});
