import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Editor } from "../frontends/acp/editor.ts";
import { bodyOf, conversation, listIn, useServer } from "../support/exec.ts";
import {
  answers,
  calls,
  type FakeServer,
  refuses,
  says,
  sends,
  startFakeServer,
} from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { processesWith } from "../support/processes.ts";

// Each test starts the program, some of them three times.
setDefaultTimeout(120_000);

const ASKS = 'sandbox_mode = "workspace-write"\napproval_policy = "on-request"';
const FREE = 'sandbox_mode = "danger-full-access"\napproval_policy = "never"';

/** The program at a fake model, which answers with these turns. */
async function start(
  turns: Parameters<typeof startFakeServer>[0],
  { more = FREE }: { more?: string } = {},
): Promise<AsyncDisposable & { home: TempHome; server: FakeServer; editor: Editor }> {
  const home = await tempHome();
  const server = startFakeServer(turns);
  await useServer(home, server, { more });
  const editor = new Editor(home);
  return {
    home,
    server,
    editor,
    async [Symbol.asyncDispose]() {
      await editor[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const escalated = (cmd: string) => ({
  cmd,
  sandbox_permissions: "require_escalated",
  justification: "the test wants it",
});

test("an editor learns who it talks to and what can be asked for", async () => {
  await using run = await start([]);
  const { agentInfo, protocolVersion, agentCapabilities } = await run.editor.initialize();
  expect({ name: agentInfo?.name, protocolVersion, agentCapabilities }).toEqual({
    name: "interpreter",
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: {
        list: {},
        resume: {},
        fork: {},
        close: {},
        delete: {},
        title: {},
        additionalDirectories: {},
        systemPrompt: { mode: { override: {} } },
      },
    },
  });
});

test("an answer and its thoughts are streamed, each character once", async () => {
  await using run = await start([
    answers({ type: "thinking", text: "let me see" }, { type: "text", text: "all done" }),
  ]);
  const { editor } = run;
  const session = await editor.open();
  const { stopReason } = await editor.prompt(session, "go");
  expect({
    stopReason,
    thought: editor.text(session, "agent_thought_chunk"),
    answer: editor.text(session),
    isStreamed: editor.of(session, "agent_message_chunk").length > 1,
  }).toEqual({ stopReason: "end_turn", thought: "let me see", answer: "all done", isStreamed: true });
});

test("an answer that was torn and is given again is not shown twice", async () => {
  const delta = (text: string) =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
  const home = await tempHome();
  await using server = startFakeServer([
    sends([delta("one two")], { contentType: "text/event-stream", end: "cut" }),
    says("one two three"),
  ]);
  await useServer(home, server, { wire: "chat", more: FREE });
  await using editor = new Editor(home);
  const session = await editor.open();
  await editor.prompt(session, "count");
  expect(editor.text(session)).toBe("one two three");
  await editor.leave();
  await home[Symbol.asyncDispose]();
});

test("a command is shown with its output and how it ended", async () => {
  await using run = await start([
    answers(
      { type: "call", name: "exec_command", input: { cmd: "echo out-$((40+2))" }, id: "good" },
      { type: "call", name: "exec_command", input: { cmd: "echo oh; exit 7" }, id: "bad" },
    ),
    says("done"),
  ]);
  const { editor } = run;
  const session = await editor.open();
  await editor.prompt(session, "run them");
  expect(editor.toolCalls(session)).toEqual([
    {
      id: "good",
      title: "echo out-$((40+2))",
      kind: "execute",
      statuses: ["pending", "in_progress", "completed"],
      text: "```\nout-42\n```",
    },
    {
      id: "bad",
      title: "echo oh; exit 7",
      kind: "execute",
      statuses: ["pending", "in_progress", "failed"],
      text: "```\noh\n```",
    },
  ]);
});

test("the same call id in a later answer is another call for the editor", async () => {
  const again = calls("exec_command", { cmd: "true" }, "call_0");
  await using run = await start([again, again, says("done")]);
  const session = await run.editor.open();
  await run.editor.prompt(session, "twice");
  expect(run.editor.toolCalls(session).map(({ id, statuses }) => [id, statuses.at(-1)])).toEqual([
    ["call_0", "completed"],
    ["call_0#2", "completed"],
  ]);
});

test("rejecting one of two commands does not stop the other", async () => {
  await using run = await start(
    [
      answers(
        { type: "call", name: "exec_command", input: escalated("touch no"), id: "k1" },
        { type: "call", name: "exec_command", input: escalated("touch yes"), id: "k2" },
      ),
      says("done"),
    ],
    { more: ASKS },
  );
  const { editor, home } = run;
  editor.answers = ["reject_once", "allow_once"];
  const session = await editor.open();
  const { stopReason } = await editor.prompt(session, "go");
  const asked = editor.questions.map(({ toolCall }) => toolCall.toolCallId);
  expect({
    stopReason,
    asked,
    made: ["no", "yes"].map((name) => existsSync(join(home.cwd, name))),
    statuses: editor.toolCalls(session).map(({ statuses }) => statuses.at(-1)),
  }).toEqual({
    stopReason: "end_turn",
    asked: ["k1", "k2"],
    made: [false, true],
    statuses: ["failed", "completed"],
  });
});

test("allowed for the session, the same command is not asked about again", async () => {
  const call = calls("exec_command", escalated("echo again >> log"));
  await using run = await start([call, call, says("done")], { more: ASKS });
  run.editor.answers = ["allow_always"];
  const session = await run.editor.open();
  await run.editor.prompt(session, "twice");
  expect(run.editor.questions.length).toBe(1);
  expect(await readFile(join(run.home.cwd, "log"), "utf8")).toBe("again\nagain\n");
});

test("a question that is taken back stops the turn, and the next one works", async () => {
  await using run = await start([calls("exec_command", escalated("touch no")), says("here again")], {
    more: ASKS,
  });
  run.editor.answers = ["cancelled"];
  const session = await run.editor.open();
  expect((await run.editor.prompt(session, "go")).stopReason).toBe("cancelled");
  expect((await run.editor.prompt(session, "again")).stopReason).toBe("end_turn");
  expect(existsSync(join(run.home.cwd, "no"))).toBe(false);
});

test("a change of a file is shown as a diff of the whole file before it is made", async () => {
  await using run = await start(
    [
      calls("exec_command", {
        cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch\nEOF",
      }),
      says("done"),
    ],
    { more: 'sandbox_mode = "read-only"\napproval_policy = "on-request"' },
  );
  const { editor, home } = run;
  await home.write("a.txt", "keep\nold\nend\n");
  const session = await editor.open();
  await editor.prompt(session, "edit");
  const path = join(home.cwd, "a.txt");
  const diff = { type: "diff", path, oldText: "keep\nold\nend\n", newText: "keep\nnew\nend\n" };
  expect(editor.questions[0]?.toolCall.content?.[0]).toEqual(expect.objectContaining(diff));
  expect(editor.toolCalls(session).map(({ title, kind }) => ({ title, kind }))).toEqual([
    { title: "Edit a.txt", kind: "edit" },
  ]);
  expect(await readFile(path, "utf8")).toBe("keep\nnew\nend\n");
});

test("a cancelled command is gone when the answer comes, and the session lives on", async () => {
  const marker = `sleep 61.${process.pid}7`;
  await using run = await start([calls("exec_command", { cmd: marker, yield_time_ms: 30000 }), says("here")]);
  const { editor } = run;
  const session = await editor.open();
  const prompt = editor.prompt(session, "run it");
  await editor.until(() => editor.toolCalls(session).at(-1)?.statuses.at(-1) === "in_progress");
  await editor.cancel(session);
  const { stopReason } = await prompt;
  expect({
    stopReason,
    left: processesWith(marker),
    status: editor.toolCalls(session).at(-1)?.statuses.at(-1),
  }).toEqual({ stopReason: "cancelled", left: [], status: "failed" });
  expect((await editor.prompt(session, "again")).stopReason).toBe("end_turn");
});

test("a cancel while nothing runs does not spoil the next prompt", async () => {
  await using run = await start([says("fine")]);
  const session = await run.editor.open();
  await run.editor.cancel(session);
  expect((await run.editor.prompt(session, "go")).stopReason).toBe("end_turn");
});

test("when its input ends, the program ends and leaves no command behind", async () => {
  const marker = `sleep 62.${process.pid}8`;
  await using run = await start([calls("exec_command", { cmd: marker, yield_time_ms: 30000 })]);
  const { editor } = run;
  const session = await editor.open();
  editor.prompt(session, "run it").catch(() => {});
  await editor.until(() => editor.toolCalls(session).at(-1)?.statuses.at(-1) === "in_progress");
  expect(await editor.leave()).toBe(0);
  expect(processesWith(marker)).toEqual([]);
});

test("two sessions at once keep their words apart", async () => {
  const hears = (request: { body: unknown }) =>
    says(JSON.stringify(request.body).includes("about apples") ? "apples" : "pears");
  await using run = await start([hears, hears]);
  const { editor } = run;
  const first = await editor.open();
  const second = (await editor.newSession()).sessionId;
  await Promise.all([editor.prompt(first, "about apples"), editor.prompt(second, "about fruit")]);
  expect([editor.text(first), editor.text(second)]).toEqual(["apples", "pears"]);
});

test("a loaded session tells what was said, a resumed one does not, and both remember", async () => {
  await using run = await start([
    calls("exec_command", { cmd: "echo hi" }),
    says("noted"),
    says("a"),
    says("b"),
  ]);
  const { editor, home, server } = run;
  const session = await editor.open();
  await editor.prompt(session, "remember xylophone");
  await editor.leave();

  await using loader = new Editor(home);
  await loader.initialize();
  await loader.request("session/load", { sessionId: session, cwd: home.cwd, mcpServers: [] });
  expect([loader.text(session, "user_message_chunk"), loader.text(session)]).toEqual([
    "remember xylophone",
    "noted",
  ]);
  expect(loader.toolCalls(session).map(({ title, statuses }) => [title, statuses])).toEqual([
    ["echo hi", ["completed"]],
  ]);
  await loader.prompt(session, "and?");
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("xylophone");
  await loader.leave();

  await using resumer = new Editor(home);
  await resumer.initialize();
  await resumer.request("session/resume", { sessionId: session, cwd: home.cwd });
  expect(resumer.text(session)).toBe("");
  await resumer.prompt(session, "and?");
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("xylophone");
});

test("a fork goes on under its own id, and the lists name both", async () => {
  await using run = await start([says("noted"), says("forked")]);
  const { editor, home, server } = run;
  const session = await editor.open();
  await editor.prompt(session, "remember xylophone");
  const place = { sessionId: session, cwd: home.cwd, mcpServers: [] };
  const { sessionId: copy } = await editor.request<{ sessionId: string }>("session/fork", place);
  await editor.prompt(copy, "go on");
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("xylophone");
  const { sessions } = await editor.request<{ sessions: { sessionId: string; title: string }[] }>(
    "session/list",
    { cwd: home.cwd },
  );
  expect(sessions.map((one) => [one.sessionId, one.title]).sort()).toEqual(
    [
      [session, "remember xylophone"],
      [copy, "remember xylophone"],
    ].sort(),
  );
  expect(await editor.request("session/list", { cwd: "/" })).toEqual({ sessions: [] });
});

test("a closed session cancels its prompt and is not there any more", async () => {
  await using run = await start([calls("exec_command", { cmd: "sleep 63", yield_time_ms: 30000 })]);
  const { editor } = run;
  const session = await editor.open();
  const prompt = editor.prompt(session, "run it");
  await editor.until(() => editor.toolCalls(session).at(-1)?.statuses.at(-1) === "in_progress");
  await editor.request("session/close", { sessionId: session });
  expect((await prompt).stopReason).toBe("cancelled");
  await expect(editor.prompt(session, "more")).rejects.toMatchObject({ code: -32002 });
});

test("an answer that hit the token limit and a refused request are told apart", async () => {
  await using run = await start([
    { kind: "answer", parts: [{ type: "text", text: "cut" }], stop: "length" },
    refuses(400, { error: { message: "no such thing", type: "invalid_request_error" } }),
    says("fine"),
  ]);
  const { editor } = run;
  const session = await editor.open();
  expect((await editor.prompt(session, "one")).stopReason).toBe("max_tokens");
  const refusal = await editor.prompt(session, "two").catch((cause: unknown) => cause);
  expect(refusal).toMatchObject({ code: -32603, message: expect.stringContaining("no such thing") });
  expect((await editor.prompt(session, "three")).stopReason).toBe("end_turn");
});

test("the method of older clients sets the model, and the conversation goes on", async () => {
  await using run = await start([says("noted"), says("here")], {
    more: `${FREE}\nmodel_context_window = 32000`,
  });
  const { editor, server } = run;
  const session = await editor.open();
  await editor.prompt(session, "remember xylophone");
  const wrong = editor.request("session/set_model", { sessionId: session, modelId: "nobody" });
  await expect(wrong).rejects.toMatchObject({ code: -32602 });
  await editor.request("session/set_model", { sessionId: session, modelId: "fake-1" });
  await editor.prompt(session, "go on");
  expect(conversation(bodyOf(server, 1)).join("\n")).toContain("xylophone");
});

test("modes and options are offered, can be set, and refuse what they don't know", async () => {
  await using run = await start([says("ok")], { more: ASKS });
  const { editor, server } = run;
  await editor.initialize();
  const created = await editor.newSession();
  const session = created.sessionId;
  expect(created.modes?.currentModeId).toBe("workspace-write");
  expect(created.configOptions?.map(({ id }) => id)).toEqual([
    "mode",
    "model",
    "harness",
    "reasoning_effort",
  ]);
  await editor.request("session/set_mode", { sessionId: session, modeId: "read-only" });
  await editor.request("session/set_config_option", {
    sessionId: session,
    configId: "reasoning_effort",
    value: "high",
  });
  const set = (configId: string, value: string) =>
    editor.request("session/set_config_option", { sessionId: session, configId, value });
  await expect(set("reasoning_effort", "huge")).rejects.toMatchObject({ code: -32602 });
  await expect(set("taste", "sweet")).rejects.toMatchObject({ code: -32602 });
  await expect(
    editor.request("session/set_mode", { sessionId: session, modeId: "wild" }),
  ).rejects.toMatchObject({
    code: -32602,
  });
  await editor.prompt(session, "go");
  const body = bodyOf(server, 0);
  expect(body["reasoning"]).toMatchObject({ effort: "high" });
  expect(JSON.stringify(body)).toContain("read-only");
});

test("a mode that is set before the first prompt is the only one that the model hears of", async () => {
  await using run = await start([says("ok")], { more: ASKS });
  const { editor, server } = run;
  const session = await editor.open();
  await editor.request("session/set_mode", { sessionId: session, modeId: "full-access" });
  await editor.prompt(session, "go");
  const told = JSON.stringify(bodyOf(server, 0)).match(/<permissions instructions>/g) ?? [];
  expect(told.length).toBe(1);
});

test("the servers of an editor give the model their tools", async () => {
  await using run = await start([says("ok")]);
  const server = join(import.meta.dir, "..", "fixtures", "mcp", "server.ts");
  const own = { name: "own", command: process.execPath, args: [server], env: [] };
  const session = await run.editor.open({ mcpServers: [own] });
  await run.editor.prompt(session, "go");
  const names = listIn(bodyOf(run.server, 0), "tools").map((tool) => JSON.stringify(tool));
  expect(names.some((tool) => tool.includes("mcp__own__echo"))).toBe(true);
});

test("a slash command is carried out without the model", async () => {
  await using run = await start([]);
  const { editor } = run;
  const session = await editor.open();
  await editor.until(() => editor.of(session, "available_commands_update").length > 0);
  expect((await editor.prompt(session, "/status")).stopReason).toBe("end_turn");
  expect(editor.text(session)).toContain("fake-1 via fake");
  expect(run.server.requests.length).toBe(0);
});

test("a folder that is not there, or not named in full, is refused", async () => {
  await using run = await start([]);
  await run.editor.initialize();
  await expect(run.editor.newSession({ cwd: "here" })).rejects.toMatchObject({ code: -32602 });
  await expect(run.editor.newSession({ cwd: join(run.home.cwd, "gone") })).rejects.toMatchObject({
    code: -32602,
  });
});

test("what is said while a command works on the conversation is read after it", async () => {
  const compacting = Promise.withResolvers<void>();
  await using run = await start([
    says("noted"),
    async () => {
      await compacting.promise;
      return says("a summary about xylophones");
    },
    says("after"),
  ]);
  const { editor, server } = run;
  const session = await editor.open();
  await editor.prompt(session, "first words");
  const compaction = editor.prompt(session, "/compact");
  const next = editor.prompt(session, "next words");
  compacting.resolve();
  expect((await compaction).stopReason).toBe("end_turn");
  expect((await next).stopReason).toBe("end_turn");
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("a summary about xylophones");
});
