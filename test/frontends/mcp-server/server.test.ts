import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { asObject, bodyOf, conversation, type Json, listIn, useServer } from "../../support/exec.ts";
import { calls, says, sends, startFakeServer } from "../../support/fake-server.ts";
import { tempHome } from "../../support/home.ts";
import { eventOf, startClient } from "./support.ts";

setDefaultTimeout(120_000);

const threadOf = (result: Json) => String(asObject(result["structuredContent"])["threadId"]);
const isElicitation = (message: Json) => message["method"] === "elicitation/create";
const leavesSandbox = (cmd: string) =>
  calls("exec_command", { cmd, sandbox_permissions: "require_escalated", justification: "needed" });
const ASKING = 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"';

test("the four tools are two, under our names and those of similar servers", async () => {
  await using home = await tempHome();
  await using client = await startClient(home);
  const tools = listIn(await client.request("tools/list"), "tools").map(asObject);
  expect(tools.map(({ name }) => name)).toEqual(["interpreter", "interpreter-reply", "codex", "codex-reply"]);
  const [ours, , theirs] = tools.map(({ name: _, ...tool }) => tool);
  expect(theirs).toEqual(ours);
  expect(asObject(tools[0]?.["outputSchema"])["required"]).toEqual(["threadId", "content"]);
});

test("what wants an answer and can't be a request is refused, and lines that are nothing are passed over", async () => {
  await using home = await tempHome();
  await using client = await startClient(home);
  for (const params of [null, 5, "x", []]) client.send({ id: "odd", method: "tools/call", params });
  client.send({ hello: "there" });
  await client.request("ping");
  const refusal = { code: -32600, message: "this is not a request of JSON-RPC 2.0" };
  expect(client.messages.filter(({ id }) => id === "odd").map(({ error }) => error)).toEqual(
    Array(4).fill(refusal),
  );
});

test("a call answers with text and thread id, and a reply goes on where it ended", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("first answer"), says("second answer")]);
  await useServer(home, server);
  await using client = await startClient(home);
  const first = await client.call("interpreter", { prompt: "first" });
  expect(first).toEqual({
    content: [{ type: "text", text: "first answer" }],
    structuredContent: { threadId: threadOf(first), content: "first answer" },
  });
  const second = await client.call("codex-reply", { conversationId: threadOf(first), prompt: "second" });
  expect(second["structuredContent"]).toEqual({ threadId: threadOf(first), content: "second answer" });
  expect(conversation(bodyOf(server, 1))).toEqual(["user: first", "assistant: first answer", "user: second"]);
});

test("a thread of an earlier server can be gone on with", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("before"), says("after")]);
  await useServer(home, server);
  const first = await startClient(home);
  const threadId = threadOf(await first.call("interpreter", { prompt: "one" }));
  expect(await first.close()).toBe(0);
  await using client = await startClient(home);
  await client.call("interpreter-reply", { threadId, prompt: "two" });
  expect(conversation(bodyOf(server, 1))).toEqual(["user: one", "assistant: before", "user: two"]);
});

test("what a call sets counts for its conversation only", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("a"), says("b")]);
  await useServer(home, server);
  await using client = await startClient(home);
  await client.call("interpreter", {
    prompt: "one",
    model: "fake-2",
    config: { model_reasoning_effort: "high" },
    "base-instructions": "Speak like a sailor.",
    "developer-instructions": "Never swear.",
  });
  await client.call("interpreter", { prompt: "two" });
  const [one, two] = [bodyOf(server, 0), bodyOf(server, 1)];
  expect([one["model"], two["model"]]).toEqual(["fake-2", "fake-1"]);
  expect(asObject(one["reasoning"])["effort"]).toBe("high");
  expect(String(one["instructions"])).toStartWith("Speak like a sailor.");
  expect(String(one["instructions"])).toContain("Never swear.");
  expect(String(two["instructions"])).not.toContain("sailor");
});

test("options of the command line are the defaults of every call", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("a"), says("b")]);
  await useServer(home, server);
  await using client = await startClient(home, { args: ["--model", "fake-3"] });
  await client.call("interpreter", { prompt: "one" });
  await client.call("interpreter", { prompt: "two", model: "fake-2" });
  expect([0, 1].map((index) => bodyOf(server, index)["model"])).toEqual(["fake-3", "fake-2"]);
});

test("a call that is cancelled before its model is asked leaves nothing behind", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("later")]);
  await useServer(home, server);
  await using client = await startClient(home);
  client.send({ id: "c", method: "tools/call", params: { name: "codex", arguments: { prompt: "early" } } });
  client.send({ method: "notifications/cancelled", params: { requestId: "c" } });
  const later = await client.call("codex", { prompt: "late" });
  expect(asObject(later["structuredContent"])["content"]).toBe("later");
  expect(server.requests.map((_, index) => conversation(bodyOf(server, index)))).toEqual([["user: late"]]);
});

test("events tell of the command, and progress counts up when a token was given", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("exec_command", { cmd: "echo mark" }), says("done")]);
  await useServer(home, server, { more: 'sandbox_mode = "danger-full-access"' });
  await using client = await startClient(home);
  const threadId = threadOf(await client.call("codex", { prompt: "go" }, { progressToken: "p1" }));
  expect(client.events("session_configured").map(({ session_id }) => session_id)).toEqual([threadId]);
  const [end] = client.events("exec_command_end");
  expect([end?.["exit_code"], end?.["aggregated_output"]]).toEqual([0, "mark\n"]);
  expect(client.events("task_complete").map(({ last_agent_message: text }) => text)).toEqual(["done"]);
  const progress = client.messages
    .filter(({ method }) => method === "notifications/progress")
    .map(({ params }) => asObject(params));
  expect(progress.map((one) => one["progress"])).toEqual(progress.map((_, index) => index + 1));
  expect(progress.every((one) => one["progressToken"] === "p1")).toBe(true);
  expect(progress.some((one) => String(one["message"]).includes("echo mark"))).toBe(true);
});

test.each([
  [{ action: "accept", content: {} }, true],
  [{ action: "accept", decision: "approved" }, true],
  [{ decision: "approved_for_session" }, true],
  [{ action: "decline", decision: "approved" }, false],
  [{ action: "accept", decision: "denied" }, false],
  [{ action: "accept", decision: { unknown: true } }, false],
  [{ action: "decline" }, false],
])("the answer %j to a question lets the command run: %p", async (answer, runs) => {
  await using home = await tempHome();
  await using server = startFakeServer([leavesSandbox("touch file"), says("ok")]);
  await useServer(home, server, { more: ASKING });
  await using client = await startClient(home, { capabilities: { elicitation: {} } });
  const result = client.call("codex", { prompt: "go" });
  const asked = await client.seen(isElicitation);
  const params = asObject(asked["params"]);
  expect([params["codex_elicitation"], params["codex_cwd"], params["requestedSchema"]]).toEqual([
    "exec-approval",
    home.cwd,
    { type: "object", properties: {} },
  ]);
  expect(String(params["message"])).toContain("touch file");
  client.send({ id: asked["id"], result: answer });
  await result;
  expect(existsSync(join(home.cwd, "file"))).toBe(runs);
});

test("a client that can't be asked is not asked, and nothing is allowed in its place", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([leavesSandbox("touch file"), says("went on")]);
  await useServer(home, server, { more: ASKING });
  await using client = await startClient(home);
  const result = await client.call("codex", { prompt: "go" });
  expect(asObject(result["structuredContent"])["content"]).toBe("went on");
  expect(client.messages.some(isElicitation)).toBe(false);
  expect(existsSync(join(home.cwd, "file"))).toBe(false);
});

test("a cancelled call ends its turn, and the thread can be gone on with", async () => {
  await using home = await tempHome();
  const asked = Promise.withResolvers<void>();
  const hangs = () => {
    asked.resolve();
    return sends([], { end: "hang" });
  };
  await using server = startFakeServer([hangs, says("after")]);
  await useServer(home, server);
  await using client = await startClient(home);
  client.send({ id: "c", method: "tools/call", params: { name: "codex", arguments: { prompt: "go" } } });
  const started = await client.seen((message) => eventOf(message)["type"] === "session_configured");
  await asked.promise;
  client.send({ method: "notifications/cancelled", params: { requestId: "c" } });
  await client.seen((message) => eventOf(message)["type"] === "turn_aborted");
  const threadId = String(eventOf(started)["thread_id"]);
  const reply = await client.call("codex-reply", { threadId, prompt: "again" });
  expect(reply["structuredContent"]).toEqual({ threadId, content: "after" });
  expect(client.messages.some(({ id }) => id === "c")).toBe(false);
});

test("two calls at once keep their answers and events apart", async () => {
  await using home = await tempHome();
  const fruit = (request: { body: unknown }) =>
    says(JSON.stringify(request.body).includes("apples") ? "apples" : "pears");
  await using server = startFakeServer([fruit, fruit]);
  await useServer(home, server);
  await using client = await startClient(home);
  const results = await Promise.all(
    ["apples", "pears"].map((prompt) => client.call("interpreter", { prompt })),
  );
  expect(results.map((result) => asObject(result["structuredContent"])["content"])).toEqual([
    "apples",
    "pears",
  ]);
  expect(new Set(results.map(threadOf)).size).toBe(2);
});

test.each([
  ["nope", {}, 'there is no tool "nope"'],
  ["codex", {}, "wrong arguments for codex"],
  ["codex", { prompt: "x", speed: 1 }, "speed"],
  ["codex", { prompt: "x", cwd: "missing" }, "does not exist"],
  ["codex-reply", { prompt: "x" }, "threadId is missing"],
  ["codex-reply", { prompt: "x", threadId: "019aa000-0000-7000-8000-000000000000" }, "there is no thread"],
])("the wrong call %s %j is answered as an error for the model", async (tool, input, words) => {
  await using home = await tempHome();
  await using client = await startClient(home);
  const result = await client.call(tool, input);
  expect(result["isError"]).toBe(true);
  expect(JSON.stringify(result["content"])).toContain(JSON.stringify(words).slice(1, -1));
});

test("a model that fails is an error with its reason and the thread", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    { kind: "status", status: 400, body: { error: { message: "no such weather" } } },
  ]);
  await useServer(home, server);
  await using client = await startClient(home);
  const result = await client.call("codex", { prompt: "x" });
  expect(result["isError"]).toBe(true);
  expect(JSON.stringify(result["content"])).toContain("no such weather");
  expect(threadOf(result)).toHaveLength(36);
});

test("methods that are not served are refused", async () => {
  await using home = await tempHome();
  await using client = await startClient(home);
  expect((await client.request("resources/list"))["code"]).toBe(-32601);
  expect((await client.request("no/such"))["code"]).toBe(-32601);
  expect(await client.request("ping")).toEqual({});
});

test("the end of the input ends a turn that runs, and the server", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([sends([], { end: "hang" })]);
  await useServer(home, server);
  const client = await startClient(home);
  client.send({ id: "c", method: "tools/call", params: { name: "codex", arguments: { prompt: "go" } } });
  await client.seen((message) => eventOf(message)["type"] === "task_started");
  expect(await client.close()).toBe(0);
});
