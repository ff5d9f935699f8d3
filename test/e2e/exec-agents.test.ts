import { expect, setDefaultTimeout, test } from "bun:test";
import { agentIds, startAgentServer } from "../support/agent-server.ts";
import {
  asObject,
  completed,
  dialogue,
  exec,
  type Json,
  listIn,
  outline,
  useServer,
} from "../support/exec.ts";
import {
  answers,
  calls,
  type FakeChoice,
  type RecordedRequest,
  refuses,
  says,
} from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const spawn = (message: string, more: Json = {}) => calls("spawn_agent", { message, ...more });
const waitForAll: FakeChoice = (request) => calls("wait_agent", { targets: agentIds(request.body) });

test("a child works on its task, and its last message is what its parent gets", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [spawn("CHILD: count the files"), waitForAll, says("there are 3")],
    CHILD: [calls("exec_command", { cmd: "echo one two three" }), says("3 files")],
  });
  await useServer(home, server);
  const { exitCode, events } = await exec(home, ["PARENT: how many files?"]);
  expect(exitCode).toBe(0);
  const thread = String(events[0]?.["thread_id"]);
  const [id = ""] = agentIds(server.requests.at(-1)?.body);
  expect(outline(events).slice(2, -1)).toEqual([
    "item.started collab_tool_call",
    "item.completed collab_tool_call",
    "item.started collab_tool_call",
    "item.completed collab_tool_call",
    "item.completed agent_message",
  ]);
  expect(completed(events, "collab_tool_call")).toEqual([
    {
      type: "collab_tool_call",
      tool: "spawn_agent",
      sender_thread_id: thread,
      receiver_thread_ids: [id],
      prompt: "CHILD: count the files",
      agents_states: { [id]: { status: expect.stringMatching(/^(pending_init|running)$/), message: null } },
      status: "completed",
    },
    {
      type: "collab_tool_call",
      tool: "wait",
      sender_thread_id: thread,
      receiver_thread_ids: [id],
      prompt: null,
      agents_states: { [id]: { status: "completed", message: "3 files" } },
      status: "completed",
    },
  ]);
  const told = JSON.stringify(server.requests.at(-1)?.body);
  expect(told).toContain(
    JSON.stringify(JSON.stringify({ status: { [id]: { completed: "3 files" } }, timed_out: false })).slice(
      1,
      -1,
    ),
  );
  expect(events.at(-1)).toMatchObject({
    type: "turn.completed",
    usage: { input_tokens: 50, output_tokens: 25 },
  });
});

test("what models know of another program is understood: items in place of a message, and the name before a tool", async () => {
  const items = [
    { type: "text", text: "CHILD: count" },
    { type: "skill", name: "tidy", path: "/s/SKILL.md" },
    { type: "local_image", path: "/p.png" },
  ];
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [calls("multi_agent_v1__spawn_agent", { items }), waitForAll, says("done")],
    CHILD: [says("3 files")],
  });
  await useServer(home, server);
  const { events } = await exec(home, ["PARENT: go"]);
  expect(completed(events, "collab_tool_call").map(({ prompt, status }) => [prompt, status])).toEqual([
    ["CHILD: count\n\n[$tidy](/s/SKILL.md)\n\n/p.png", "completed"],
    [null, "completed"],
  ]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain("was ignored");
});

/** What the newest results in a request say. */
function results(request: RecordedRequest | undefined): string[] {
  return listIn(asObject(request?.body), "input").flatMap((item) =>
    typeof item === "object" && item !== null && "output" in item ? [String(item.output)] : [],
  );
}

const toolNames = (request: RecordedRequest | undefined) =>
  listIn(asObject(request?.body), "tools").flatMap((tool) =>
    typeof tool === "object" && tool !== null && "name" in tool ? [String(tool.name)] : [],
  );

test("the session of a child can be resumed, and is not among the user's own", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [spawn("CHILD: count"), waitForAll, says("done"), says("parent again")],
    CHILD: [says("3 files"), says("child again")],
  });
  await useServer(home, server);
  const { events } = await exec(home, ["PARENT: go"]);
  const thread = String(events[0]?.["thread_id"]);
  const [id = ""] = agentIds(server.requests.at(-1)?.body);
  const last = await exec(home, ["resume", "--last", "PARENT: more"]);
  expect(last.events[0]).toEqual({ type: "thread.started", thread_id: thread });
  const child = await exec(home, ["resume", id, "and now?"]);
  expect([child.exitCode, child.events[0]]).toEqual([0, { type: "thread.started", thread_id: id }]);
  expect(dialogue(asObject(server.requests.at(-1)?.body)).slice(-3)).toEqual([
    "user: CHILD: count",
    "assistant: 3 files",
    "user: and now?",
  ]);
});

test("a child that has ended goes on when it is told more, also after it was closed", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [
      spawn("CHILD: first"),
      waitForAll,
      (request) => calls("send_input", { target: agentIds(request.body)[0], message: "second" }),
      waitForAll,
      (request) => calls("close_agent", { target: agentIds(request.body)[0] }),
      (request) => calls("send_input", { target: agentIds(request.body)[0], message: "third" }),
      (request) => calls("resume_agent", { id: agentIds(request.body)[0] }),
      (request) => calls("send_input", { target: agentIds(request.body)[0], message: "third" }),
      waitForAll,
      says("done"),
    ],
    CHILD: [says("one"), says("two"), says("three")],
  });
  await useServer(home, server);
  const { exitCode } = await exec(home, ["PARENT: go"]);
  const [id = ""] = agentIds(server.requests.at(-1)?.body);
  const told = results(server.requests.at(-1));
  const ended = (text: string) => JSON.stringify({ status: { [id]: { completed: text } }, timed_out: false });
  expect([told[1], told[3], told[8]]).toEqual([ended("one"), ended("two"), ended("three")]);
  expect(told[4]).toBe(JSON.stringify({ status: { completed: "two" } }));
  expect(told[5]).toContain("was closed");
  expect(told[6]).toBe(JSON.stringify({ status: { completed: "" } }));
  expect(exitCode).toBe(0);
  const last = server.requests.findLast(({ body }) => !JSON.stringify(body).includes("PARENT"));
  expect(dialogue(asObject(last?.body)).slice(-4)).toEqual(
    ["assistant: one", "user: second", "assistant: two", "user: third"].slice(-5),
  );
});

test("a later run of the session goes on with a child of an earlier one", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [
      spawn("CHILD: count"),
      waitForAll,
      says("done"),
      (request) => calls("send_input", { target: agentIds(request.body)[0], message: "and the folders?" }),
      waitForAll,
      says("done again"),
    ],
    CHILD: [says("3 files"), says("2 folders")],
  });
  await useServer(home, server);
  await exec(home, ["PARENT: go"]);
  const { exitCode } = await exec(home, ["resume", "--last", "PARENT: more"]);
  const last = server.requests.findLast(({ body }) => !JSON.stringify(body).includes("PARENT"));
  expect([exitCode, dialogue(asObject(last?.body)).slice(-3)]).toEqual([
    0,
    ["user: CHILD: count", "assistant: 3 files", "user: and the folders?"],
  ]);
});

test("a child may do no more than its parent, whatever its role wants", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [spawn("CHILD: write", { agent_type: "free" }), waitForAll, says("done")],
    CHILD: [calls("exec_command", { cmd: "touch made.txt; echo $?", login: false }), says("tried")],
  });
  await useServer(home, server, { more: '[agents.free]\nsandbox_mode = "danger-full-access"\n' });
  await exec(home, ["-s", "read-only", "PARENT: go"]);
  expect(await Bun.file(`${home.cwd}/made.txt`).exists()).toBe(false);
  expect(JSON.stringify(server.requests.map(({ body }) => body))).toContain("Read-only file system");
});

test("a child starts no further ones, unless max_depth says so", async () => {
  await using home = await tempHome();
  const scripts = {
    PARENT: [spawn("CHILD: split"), waitForAll, says("done")],
    CHILD: [spawn("GRAND: do it"), waitForAll, says("child done")],
    GRAND: [says("grand done")],
  };
  await using refusing = startAgentServer({ ...scripts, CHILD: [spawn("GRAND: do it"), says("alone")] });
  await useServer(home, refusing);
  await exec(home, ["PARENT: go"]);
  expect(JSON.stringify(refusing.requests.map(({ body }) => body))).toContain(
    "unsupported call: spawn_agent",
  );
  await using server = startAgentServer(scripts);
  await useServer(home, server, { more: "[agents]\nmax_depth = 2\n" });
  await exec(home, ["PARENT: go"]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("child done");
  expect(server.requests).toHaveLength(7);
});

test("on a server of this machine children take turns, and nobody waits in the server", async () => {
  await using home = await tempHome();
  const order: string[] = [];
  let open = 0;
  const child =
    (name: string, text: string): FakeChoice =>
    async () => {
      order.push(name);
      open += 1;
      expect(open).toBe(1);
      await Bun.sleep(20);
      open -= 1;
      return text === "" ? calls("exec_command", { cmd: "true" }) : says(text);
    };
  await using server = startAgentServer({
    PARENT: [
      answers(
        { type: "call", name: "spawn_agent", input: { message: "AAA" } },
        { type: "call", name: "spawn_agent", input: { message: "BBB" } },
      ),
      (request) => calls("wait_agent", { targets: agentIds(request.body).slice(1) }),
      says("done"),
      says("done, with the report of the first"),
    ],
    AAA: [child("a", ""), child("a", "one")],
    BBB: [child("b", ""), child("b", "two")],
  });
  await useServer(home, server);
  const { exitCode, events } = await exec(home, ["PARENT: go"]);
  expect([exitCode, order]).toEqual([0, ["a", "a", "b", "b"]]);
  expect(JSON.stringify(events)).toContain("pending_init");
});

test("with a number of threads that the user has set, so many children work side by side", async () => {
  await using home = await tempHome();
  const both = Promise.withResolvers<void>();
  const allWereTried = Promise.withResolvers<void>();
  let seen = 0;
  const together: FakeChoice = async () => {
    seen += 1;
    if (seen === 2) both.resolve();
    await Promise.all([both.promise, allWereTried.promise]);
    return says("met");
  };
  await using server = startAgentServer({
    PARENT: [
      answers(
        { type: "call", name: "spawn_agent", input: { message: "AAA" } },
        { type: "call", name: "spawn_agent", input: { message: "BBB" } },
        { type: "call", name: "spawn_agent", input: { message: "CCC" } },
      ),
      (request) => {
        allWereTried.resolve();
        return calls("wait_agent", { targets: agentIds(request.body) });
      },
      says("done"),
      says("done, with the other report, if it came later"),
    ],
    AAA: [together],
    BBB: [together],
  });
  await useServer(home, server, { more: "[agents]\nmax_concurrent_threads_per_session = 2\n" });
  const { exitCode } = await exec(home, ["PARENT: go"]);
  expect(exitCode).toBe(0);
  expect(results(server.requests.at(-1))[2]).toStartWith(
    "2 agents are at work, which is the limit: wait for one, or close one",
  );
});

test("the tools are offered for wide windows, understood without that, and gone when switched off", async () => {
  await using home = await tempHome();
  const script = () => ({
    PARENT: [spawn("CHILD: go"), waitForAll, says("done")],
    CHILD: [says("ok")],
  });
  await using wide = startAgentServer(script());
  await useServer(home, wide);
  await exec(home, ["PARENT: go"]);
  const four = ["spawn_agent", "send_input", "wait_agent", "close_agent"];
  expect(toolNames(wide.requests[0]).slice(-4)).toEqual(four);
  expect(toolNames(wide.requests[1]).filter((name) => four.includes(name))).toEqual([]);
  await using narrow = startAgentServer(script());
  await useServer(home, narrow, { more: "model_context_window = 32000" });
  await exec(home, ["PARENT: go"]);
  expect([toolNames(narrow.requests[0]).includes("spawn_agent"), narrow.requests.length]).toEqual([false, 4]);
  await using wanted = startAgentServer({ PARENT: [says("done")] });
  await useServer(home, wanted, { more: "model_context_window = 32000" });
  await exec(home, ["--enable", "multi_agent", "PARENT: go"]);
  expect(toolNames(wanted.requests[0]).slice(-4)).toEqual(four);
  await using off = startAgentServer({ PARENT: [spawn("CHILD: go"), says("done")] });
  await useServer(home, off);
  await exec(home, ["--disable", "multi_agent", "PARENT: go"]);
  expect(results(off.requests[1])).toEqual([
    expect.stringContaining("unsupported call: spawn_agent; offered: "),
  ]);
});

test("what stops the parent stops the commands of its children", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [spawn("CHILD: sleep"), waitForAll],
    CHILD: [calls("exec_command", { cmd: "echo $$ > pid; sleep 300", yield_time_ms: 30_000 })],
  });
  await useServer(home, server);
  let isStopped = false;
  const stop = async (kill: (signal: NodeJS.Signals) => void) => {
    // A file that is there may still be empty.
    while (Bun.file(`${home.cwd}/pid`).size === 0) await Bun.sleep(10);
    kill("SIGINT");
  };
  const { exitCode } = await exec(home, ["--dangerously-bypass-approvals-and-sandbox", "PARENT: go"], {
    onLine: (line, kill) => {
      if (isStopped || !line.includes('"wait"')) return;
      isStopped = true;
      void stop(kill);
    },
  });
  expect(exitCode).toBe(1);
  const pid = Number(await Bun.file(`${home.cwd}/pid`).text());
  expect(() => process.kill(pid, 0)).toThrow();
});

test("a parent that fails leaves no command of its children behind", async () => {
  await using home = await tempHome();
  const isRunning: FakeChoice = async () => {
    while (Bun.file(`${home.cwd}/pid`).size === 0) await Bun.sleep(10);
    return refuses(400, { error: { message: "no more" } });
  };
  await using server = startAgentServer({
    PARENT: [spawn("CHILD: sleep"), isRunning],
    CHILD: [calls("exec_command", { cmd: "echo $$ > pid; sleep 300", yield_time_ms: 30_000 })],
  });
  await useServer(home, server);
  const { exitCode, events } = await exec(home, ["--dangerously-bypass-approvals-and-sandbox", "PARENT: go"]);
  expect([exitCode, events.at(-1)?.["type"]]).toEqual([1, "turn.failed"]);
  const pid = Number(await Bun.file(`${home.cwd}/pid`).text());
  expect(() => process.kill(pid, 0)).toThrow();
});

test("a parent that stops hears of the children that it did not wait for", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [spawn("CHILD: go"), says("I am done"), says("with its report: fine")],
    CHILD: [says("fine")],
  });
  await useServer(home, server);
  const { events } = await exec(home, ["PARENT: go"]);
  const [id = ""] = agentIds(server.requests.at(-1)?.body);
  expect(dialogue(asObject(server.requests.at(-1)?.body)).at(-1)).toBe(
    `user: <subagent_notification>${JSON.stringify({ agent_id: id, status: { completed: "fine" } })}</subagent_notification>`,
  );
  expect(completed(events, "agent_message").at(-1)).toEqual({
    type: "agent_message",
    text: "with its report: fine",
  });
});

test("roles come from the configuration, with instructions, model, effort and names", async () => {
  await using home = await tempHome();
  await home.write(
    "~/roles/check.toml",
    'model = "fake-2"\nmodel_reasoning_effort = "low"\ndeveloper_instructions = "Check twice."\nmodel_verbosity = "low"\n',
  );
  await home.write("~/agents/docs.toml", 'description = "writes docs"\n');
  await using server = startAgentServer({
    PARENT: [
      spawn("CHILD: go", { agent_type: "checker" }),
      waitForAll,
      spawn("CHILD: go", { agent_type: "none" }),
      says("done"),
    ],
    CHILD: [says("fine")],
  });
  const role =
    '[agents.checker]\ndescription = "checks"\nconfig_file = "roles/check.toml"\nnickname_candidates = ["Argus"]\n';
  await useServer(home, server, { more: role });
  await exec(home, ["PARENT: go"]);
  const child = server.requests.find(({ body }) => !JSON.stringify(body).includes("PARENT"));
  expect(child?.body).toMatchObject({ model: "fake-2", reasoning: { effort: "low" } });
  expect(JSON.stringify(child?.body)).toContain("Check twice.");
  const [started, , refused] = results(server.requests.at(-1));
  expect(started).toContain('"nickname":"Argus"');
  expect(refused).toBe("there is no agent none; known: default, worker, explorer, docs, checker");
  expect(JSON.stringify(listIn(asObject(server.requests[0]?.body), "tools"))).toContain(
    "docs (writes docs); checker (checks).",
  );
});

test("a role that is wrong is told with its place before anything is sent", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({ PARENT: [says("done")] });
  await useServer(home, server, { more: "[agents.checker]\ntemperature = 1\n" });
  const { exitCode, stderr } = await exec(home, ["PARENT: go"]);
  expect([exitCode, server.requests.length]).toEqual([1, 0]);
  expect(stderr).toContain("[agents.checker]");
  expect(stderr).toContain("temperature");
  await useServer(home, server, { more: '[agents.checker]\nconfig_file = "."\n' });
  const folder = await exec(home, ["PARENT: go"]);
  expect([folder.exitCode, folder.stderr]).toEqual([1, expect.stringContaining("wanted an ordinary file")]);
});

test("a child that is to know the conversation has it before its task, and records it", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    SIDE: [says("it was 42"), says("still 42")],
    PARENT: [spawn("SIDE: what was the number?", { fork_context: true }), waitForAll, says("done")],
  });
  await useServer(home, server);
  await exec(home, ["PARENT: the number is 42"]);
  const child = server.requests.find(({ body }) => JSON.stringify(body).includes("SIDE: what"));
  expect(dialogue(asObject(child?.body)).slice(-2)).toEqual([
    "user: PARENT: the number is 42",
    "user: SIDE: what was the number?",
  ]);
});

test("what children use counts for the budget of the run", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [spawn("CHILD: go"), waitForAll, says("never")],
    CHILD: Array.from({ length: 9 }, () => calls("exec_command", { cmd: "true" })),
  });
  await useServer(home, server);
  const { events } = await exec(home, ["--max-turns", "5", "PARENT: go"]);
  expect(server.requests.length).toBe(5);
  expect(JSON.stringify(events.at(-1))).toContain("the budget of this run is used up");
});

test("the helpers of another harness are the same children", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [
      calls("Agent", { prompt: "CHILD: look", description: "look", subagent_type: "Explore" }),
      says("done"),
    ],
    CHILD: [says("seen")],
  });
  await useServer(home, server, { wire: "messages", more: 'harness = "claude-code"' });
  const { events } = await exec(home, ["PARENT: go"]);
  const [call] = completed(events, "collab_tool_call");
  expect(call).toMatchObject({ tool: "spawn_agent", prompt: "CHILD: look", status: "completed" });
  const id = String(listIn(asObject(call), "receiver_thread_ids")[0]);
  expect(call?.["agents_states"]).toEqual({ [id]: { status: "completed", message: "seen" } });
  await using again = startAgentServer({ CHILD: [says("more")] });
  await useServer(home, again, { wire: "messages", more: 'harness = "claude-code"' });
  expect((await exec(home, ["resume", id, "and?"])).exitCode).toBe(0);
});
