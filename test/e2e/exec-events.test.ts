import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { completed, exec, outline, useServer } from "../support/exec.ts";
import { checkProtocol } from "../support/exec-protocol.ts";
import {
  answers,
  calls,
  type FakeChoice,
  type FakeTurn,
  refuses,
  says,
  sends,
  startFakeServer,
} from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const OPEN = ["-s", "danger-full-access"];

/** Runs one prompt against a script and checks every line of the output. */
async function play(turns: readonly (FakeTurn | FakeChoice)[], args: readonly string[] = OPEN, more = "") {
  await using home = await tempHome();
  await using server = startFakeServer(turns);
  await home.write("old.txt", "one\ntwo\n");
  await useServer(home, server, { more, provider: "request_max_retries = 0\nstream_max_retries = 2" });
  const result = await exec(home, [...args, "go"]);
  checkProtocol(result.stdout);
  return { ...result, cwd: home.cwd, requests: server.requests.length };
}

const USAGE = { cached_input_tokens: 0, cache_write_input_tokens: 0, reasoning_output_tokens: 0 };

test("an answer is one message between the start and the end of the turn", async () => {
  const { events, exitCode } = await play([says("Hello there")]);
  expect(exitCode).toBe(0);
  expect(events).toEqual([
    { type: "thread.started", thread_id: expect.any(String) },
    { type: "turn.started" },
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Hello there" } },
    { type: "turn.completed", usage: { ...USAGE, input_tokens: 10, output_tokens: 5 } },
  ]);
});

test("usage is the sum of all requests of the thread", async () => {
  const { events } = await play([calls("exec_command", { cmd: "true" }), says("done")]);
  expect(events.at(-1)).toEqual({
    type: "turn.completed",
    usage: { ...USAGE, input_tokens: 20, output_tokens: 10 },
  });
});

test("a command is started in progress and completed with its output and exit code", async () => {
  const { events } = await play([calls("exec_command", { cmd: "echo hi; exit 3" }), says("done")]);
  const command = expect.stringMatching(/^\S*\/(bash|zsh|sh) -lc 'echo hi; exit 3'$/);
  const item = { id: "item_0", type: "command_execution", command };
  expect(events.slice(2, 4)).toEqual([
    {
      type: "item.started",
      item: { ...item, aggregated_output: "", exit_code: null, status: "in_progress" },
    },
    {
      type: "item.completed",
      item: { ...item, aggregated_output: "hi\n", exit_code: 3, status: "failed" },
    },
  ]);
});

test("a command in a folder that does not exist is a failed command with exit code -1", async () => {
  const { events, exitCode } = await play([
    calls("exec_command", { cmd: "true", workdir: "nowhere" }),
    says("done"),
  ]);
  expect(completed(events, "command_execution")).toMatchObject([{ exit_code: -1, status: "failed" }]);
  expect(exitCode).toBe(0);
});

test("a command that a signal ends has the exit code 128 + N", async () => {
  const { events } = await play([calls("exec_command", { cmd: "kill -9 $$" }), says("done")]);
  expect(completed(events, "command_execution")).toMatchObject([{ exit_code: 137, status: "failed" }]);
});

test("bytes that are not text become replacement characters, and control characters stay", async () => {
  const { events } = await play([
    calls("exec_command", { cmd: "printf 'a\\377b\\0c\\033[1m'" }),
    says("done"),
  ]);
  expect(completed(events, "command_execution")).toMatchObject([
    { aggregated_output: "a\ufffdb\0c\u001b[1m" },
  ]);
});

test("long output is in the event as a whole", async () => {
  const { events } = await play([calls("exec_command", { cmd: "seq 60000" }), says("done")]);
  const [item] = completed(events, "command_execution");
  const lines = String(item?.["aggregated_output"]).trimEnd().split("\n");
  expect({ count: lines.length, last: lines.at(-1) }).toEqual({ count: 60000, last: "60000" });
});

test("the commands of one answer run side by side", async () => {
  const meet = (own: string, other: string) =>
    `touch ${own}; for i in $(seq 2000); do [ -e ${other} ] && exit 0; sleep 0.01; done; exit 1`;
  const { events } = await play([
    answers(
      { type: "call", name: "exec_command", input: { cmd: meet("a", "b") } },
      { type: "call", name: "exec_command", input: { cmd: meet("b", "a") } },
    ),
    says("done"),
  ]);
  expect(completed(events, "command_execution").map((item) => item["exit_code"])).toEqual([0, 0]);
});

test("a patch is a file change with absolute paths in their order", async () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: old.txt",
    "@@",
    " one",
    "-two",
    "+2",
    "*** Add File: a/new.txt",
    "+text",
    "*** End Patch",
  ].join("\n");
  const { events, cwd } = await play([
    calls("exec_command", { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }),
    says("done"),
  ]);
  const changes = [
    { path: join(cwd, "a/new.txt"), kind: "add" },
    { path: join(cwd, "old.txt"), kind: "update" },
  ];
  expect(events.slice(2, 4)).toEqual([
    { type: "item.started", item: { id: "item_0", type: "file_change", changes, status: "in_progress" } },
    { type: "item.completed", item: { id: "item_0", type: "file_change", changes, status: "completed" } },
  ]);
});

test("a patch that does not apply shows nothing", async () => {
  const patch = "*** Begin Patch\n*** Update File: old.txt\n@@\n-never there\n+x\n*** End Patch";
  const { events } = await play([
    calls("exec_command", { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }),
    says("done"),
  ]);
  expect(completed(events).map((item) => item["type"])).toEqual(["agent_message"]);
});

test("a plan is one list that is updated and closed before the end of the turn", async () => {
  const plan = (...status: string[]) =>
    calls("update_plan", { plan: status.map((one, index) => ({ step: `step ${index}`, status: one })) });
  const { events } = await play([
    plan("in_progress", "pending"),
    plan("completed", "in_progress"),
    says("done"),
  ]);
  expect(outline(events)).toEqual([
    "thread.started",
    "turn.started",
    "item.started todo_list",
    "item.updated todo_list",
    "item.completed agent_message",
    "item.completed todo_list",
    "turn.completed",
  ]);
  expect(completed(events, "todo_list")).toEqual([
    {
      type: "todo_list",
      items: [
        { text: "step 0", completed: true },
        { text: "step 1", completed: false },
      ],
    },
  ]);
});

test("thoughts come before the message, each as one item", async () => {
  const { events } = await play([answers({ type: "thinking", text: "Hm." }, { type: "text", text: "Yes." })]);
  expect(completed(events)).toEqual([
    { type: "reasoning", text: "Hm." },
    { type: "agent_message", text: "Yes." },
  ]);
});

test("calls of unknown tools and calls that can't be read show nothing, and the turn goes on", async () => {
  const { events, exitCode, requests } = await play([
    calls("no_such_tool", {}),
    calls("exec_command", '{"cmd": '),
    calls("exec_command", {}),
    says("done"),
  ]);
  expect(completed(events).map((item) => item["type"])).toEqual(["agent_message"]);
  expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: 4 });
});

test("warnings come first, as error items with numbers of their own", async () => {
  const { events, exitCode } = await play([says("done")], [...OPEN, "-c", "modle=1"]);
  expect(outline(events)).toEqual([
    "thread.started",
    "item.completed error",
    "turn.started",
    "item.completed agent_message",
    "turn.completed",
  ]);
  expect(completed(events, "error")).toEqual([
    {
      type: "error",
      message: expect.stringMatching(/`modle`; did you mean `model`\?$/),
    },
  ]);
  expect(exitCode).toBe(0);
});

test("a refused request ends the turn with the server's words", async () => {
  const { events, exitCode, stderr } = await play([refuses(400, { error: { message: "no such model" } })]);
  expect(outline(events)).toEqual(["thread.started", "turn.started", "error", "turn.failed"]);
  expect(events.at(-1)).toEqual({ type: "turn.failed", error: { message: events.at(-2)?.["message"] } });
  expect(String(events.at(-2)?.["message"])).toContain("no such model");
  expect({ exitCode, explains: stderr.includes("no such model") }).toEqual({ exitCode: 1, explains: true });
});

test("a refused key names its variable on stderr and is not shown", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([refuses(401, { error: { message: "bad key sk-very-secret" } })]);
  await useServer(home, server, { provider: 'env_key = "FAKE_KEY"' });
  const { exitCode, stdout, stderr } = await exec(home, ["go"], { env: { FAKE_KEY: "sk-very-secret" } });
  checkProtocol(stdout);
  expect({ exitCode, shown: /very-secret/.test(stdout + stderr) }).toEqual({ exitCode: 1, shown: false });
  expect(stderr).toContain("FAKE_KEY");
  expect(server.requests.length).toBe(1);
});

test("a missing key fails the turn without a request", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([]);
  await useServer(home, server, { provider: 'env_key = "FAKE_KEY"' });
  const { exitCode, stdout, events } = await exec(home, ["go"]);
  checkProtocol(stdout);
  expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 1, requests: 0 });
  expect(String(events.at(-2)?.["message"])).toContain("FAKE_KEY");
});

test("a torn answer is asked for again, and its half is not shown", async () => {
  const half =
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"half"}\n\n';
  const { events, requests } = await play([sends([half], { end: "cut" }), says("whole")]);
  expect(outline(events)).toEqual([
    "thread.started",
    "turn.started",
    "error",
    "item.completed agent_message",
    "turn.completed",
  ]);
  expect(String(events[2]?.["message"])).toMatch(
    /^Reconnecting\.\.\. 1\/2 \(stream disconnected before completion/,
  );
  expect({ texts: completed(events), requests }).toEqual({
    texts: [{ type: "agent_message", text: "whole" }],
    requests: 2,
  });
});

test("an answer that stays torn fails the turn after the retries", async () => {
  const { events, exitCode, requests } = await play([sends([]), sends([]), sends([])]);
  expect(outline(events)).toEqual([
    "thread.started",
    "turn.started",
    "error",
    "error",
    "error",
    "turn.failed",
  ]);
  expect({ exitCode, requests }).toEqual({ exitCode: 1, requests: 3 });
});

test("an answer that hits the output limit is shown and fails the turn", async () => {
  const { events, exitCode } = await play([
    { kind: "answer", parts: [{ type: "text", text: "so far" }], stop: "length" },
  ]);
  expect(completed(events)).toEqual([{ type: "agent_message", text: "so far" }]);
  expect(events.at(-1)).toEqual({
    type: "turn.failed",
    error: { message: "Incomplete response returned, reason: max_output_tokens" },
  });
  expect(exitCode).toBe(1);
});

for (const wire of ["chat", "messages"] as const) {
  test(`the events are the same on the ${wire} wire`, async () => {
    await using home = await tempHome();
    await using server = startFakeServer([
      answers(
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Looking." },
        { type: "call", name: "exec_command", input: { cmd: "echo hi" } },
      ),
      says("done"),
    ]);
    await useServer(home, server, { wire });
    const { stdout, events } = await exec(home, [...OPEN, "go"]);
    checkProtocol(stdout);
    expect(completed(events)).toMatchObject([
      { type: "reasoning", text: "Hm." },
      { type: "agent_message", text: "Looking." },
      { type: "command_execution", aggregated_output: "hi\n", exit_code: 0 },
      { type: "agent_message", text: "done" },
    ]);
  });
}
