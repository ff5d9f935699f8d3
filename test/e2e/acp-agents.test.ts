import { expect, setDefaultTimeout, test } from "bun:test";
import { Editor } from "../frontends/acp/editor.ts";
import { agentIds, startAgentServer } from "../support/agent-server.ts";
import { useServer } from "../support/exec.ts";
import { calls, type FakeChoice, says } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const waitForAll: FakeChoice = (request) => calls("wait_agent", { targets: agentIds(request.body) });

test("an editor sees what an agent of the model does, and is asked for it under the agent's name", async () => {
  await using home = await tempHome();
  const escalated = { sandbox_permissions: "require_escalated", justification: "to look outside" };
  await using server = startAgentServer({
    PARENT: [calls("spawn_agent", { message: "CHILD: look" }), waitForAll, says("done")],
    CHILD: [calls("exec_command", { cmd: "echo from the child", ...escalated }), says("seen")],
  });
  await useServer(home, server);
  await using editor = new Editor(home);
  const session = await editor.open();
  expect((await editor.prompt(session, "PARENT: go")).stopReason).toBe("end_turn");
  expect(JSON.stringify(editor.questions[0]?.toolCall.content)).toContain("agent Alder: to look outside");
  const shown = editor.toolCalls(session).map(({ title, statuses }) => [title, statuses.at(-1)]);
  expect(shown).toHaveLength(3);
  // The parent's wait may begin before or after the child's command.
  expect(shown).toEqual(
    expect.arrayContaining([
      [expect.stringMatching(/^Agent Alder \((at work|waits for its turn)\): CHILD: look$/), "completed"],
      ["Agents: Alder (done)", "completed"],
      ["echo from the child", "completed"],
    ]),
  );
  expect(editor.toolCalls(session).find(({ title }) => title === "Agents: Alder (done)")?.text).toContain(
    "seen",
  );
});

test("a cancelled prompt ends the commands of agents before it is answered", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [calls("spawn_agent", { message: "CHILD: sleep" }), waitForAll, says("never")],
    CHILD: [calls("exec_command", { cmd: "echo $$ > pid; sleep 300", yield_time_ms: 30_000 })],
  });
  await useServer(home, server, { more: 'sandbox_mode = "danger-full-access"' });
  await using editor = new Editor(home);
  const session = await editor.open();
  const answer = editor.prompt(session, "PARENT: go");
  while (!(await Bun.file(`${home.cwd}/pid`).exists())) await Bun.sleep(10);
  await editor.cancel(session);
  expect((await answer).stopReason).toBe("cancelled");
  const pid = Number(await Bun.file(`${home.cwd}/pid`).text());
  expect(() => process.kill(pid, 0)).toThrow();
});

/** An editor that shows agents as sessions of their own, and what it was told of the only one. */
async function startWithAgents(home: TempHome) {
  const editor = new Editor(home);
  await editor.initialize({ subagents: {} });
  const { sessionId } = await editor.newSession();
  const child = () => {
    const [first] = editor.of(sessionId, "subagent_update");
    return first?.sessionUpdate === "subagent_update" ? first.sessionId : "";
  };
  const states = () =>
    editor
      .of(sessionId, "subagent_update")
      .map((update) => (update.sessionUpdate === "subagent_update" ? update.state : undefined));
  return { editor, sessionId, child, states };
}

test("an editor with room for agents sees each as a session of its own, and is asked there", async () => {
  await using home = await tempHome();
  const escalated = { sandbox_permissions: "require_escalated", justification: "to look outside" };
  await using server = startAgentServer({
    PARENT: [calls("spawn_agent", { message: "CHILD: look" }), waitForAll, says("done")],
    CHILD: [calls("exec_command", { cmd: "echo from the child", ...escalated }), says("seen")],
  });
  await useServer(home, server);
  const { editor, sessionId, child, states } = await startWithAgents(home);
  await using _ = editor;
  await editor.prompt(sessionId, "PARENT: go");
  expect(editor.of(sessionId, "subagent_update")[0]).toEqual({
    sessionUpdate: "subagent_update",
    sessionId: child(),
    title: "Alder",
    description: "CHILD: look",
    capabilities: { cancel: {} },
    state: { state: "idle" },
  });
  expect(states().map((state) => state?.state)).toEqual([
    "idle",
    "running",
    "requires_action",
    "running",
    "idle",
  ]);
  expect(states().at(-1)).toMatchObject({
    stopReason: "end_turn",
    usage: { totalTokens: expect.any(Number) },
  });
  expect(editor.of(child(), "session_message")).toEqual([
    {
      sessionUpdate: "session_message",
      messageId: expect.any(String),
      senderSessionId: sessionId,
      recipientSessionId: child(),
      content: [{ type: "text", text: "CHILD: look" }],
    },
  ]);
  expect(editor.text(child())).toBe("seen");
  expect(editor.questions.map(({ sessionId: id, toolCall }) => [id, toolCall.toolCallId])).toEqual([
    [child(), editor.toolCalls(child())[0]?.id ?? ""],
  ]);
  expect(editor.toolCalls(child()).map(({ title, statuses }) => [title, statuses.at(-1)])).toEqual([
    ["echo from the child", "completed"],
  ]);
  // The parent's own calls are all that it shows.
  expect(editor.toolCalls(sessionId).map(({ title }) => title)).not.toContain("echo from the child");
});

test("an agent that is cancelled as a session ends what it is at, and its parent goes on", async () => {
  await using home = await tempHome();
  await using server = startAgentServer({
    PARENT: [calls("spawn_agent", { message: "CHILD: sleep" }), waitForAll, says("went on")],
    CHILD: [calls("exec_command", { cmd: "echo $$ > pid; sleep 300", yield_time_ms: 30_000 })],
  });
  await useServer(home, server, { more: 'sandbox_mode = "danger-full-access"' });
  const { editor, sessionId, child, states } = await startWithAgents(home);
  await using _ = editor;
  const answer = editor.prompt(sessionId, "PARENT: go");
  while (!(await Bun.file(`${home.cwd}/pid`).exists())) await Bun.sleep(10);
  await editor.cancel(child());
  expect((await answer).stopReason).toBe("end_turn");
  expect(editor.text(sessionId)).toBe("went on");
  expect(states().at(-1)).toEqual({ state: "idle", stopReason: "cancelled" });
});
