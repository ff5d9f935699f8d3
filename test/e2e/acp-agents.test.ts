import { expect, setDefaultTimeout, test } from "bun:test";
import { Editor } from "../frontends/acp/editor.ts";
import { agentIds, startAgentServer } from "../support/agent-server.ts";
import { useServer } from "../support/exec.ts";
import { calls, type FakeChoice, says } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

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
