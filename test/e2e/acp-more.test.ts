import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Editor } from "../frontends/acp/editor.ts";
import { bodyOf, dialogue, useServer } from "../support/exec.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const FREE = 'sandbox_mode = "danger-full-access"\napproval_policy = "never"';
const PATCH = "*** Begin Patch\n*** Update File: note.txt\n@@\n-unsaved words\n+better words\n*** End Patch";

test("a patch finds the text that stands in the editor, and the editor writes the file", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("apply_patch", { input: PATCH }), says("done")]);
  await useServer(home, server, { more: FREE });
  await using editor = new Editor(home);
  const path = join(home.cwd, "note.txt");
  await writeFile(path, "words on the disk\n");
  editor.unsaved.set(path, "unsaved words\n");
  await editor.initialize({ fs: { readTextFile: true, writeTextFile: true } });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "make it better");
  expect(await readFile(path, "utf8")).toBe("better words\n");
  expect([...editor.written]).toEqual([[path, "better words\n"]]);
  expect(editor.toolCalls(sessionId).map(({ statuses }) => statuses.at(-1))).toEqual(["completed"]);
});

test("an editor that offers no files is not asked for them", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("apply_patch", { input: PATCH }), says("done")]);
  await useServer(home, server, { more: FREE });
  await using editor = new Editor(home);
  const path = join(home.cwd, "note.txt");
  await writeFile(path, "unsaved words\n");
  await editor.initialize();
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "make it better");
  expect(await readFile(path, "utf8")).toBe("better words\n");
  expect(editor.written.size).toBe(0);
});

test("a deleted session is gone from the list and can't be loaded, also while it is open", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("one"), says("two")]);
  await useServer(home, server, { more: FREE });
  await using editor = new Editor(home);
  const kept = await editor.open();
  await editor.prompt(kept, "keep this");
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "forget this");
  expect(await editor.request<unknown>("session/delete", { sessionId })).toEqual({});
  const { sessions } = await editor.request<{ sessions: { sessionId: string }[] }>("session/list", {});
  expect(sessions.map((one) => one.sessionId)).toEqual([kept]);
  const load = editor.request("session/load", { sessionId, cwd: home.cwd, mcpServers: [] });
  expect(await load.catch((error) => error.code)).toBe(-32002);
});

test("a client's system prompt is added to ours, or takes its place", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("one"), says("two"), says("three")]);
  await useServer(home, server, { more: FREE });
  await using editor = new Editor(home);
  const prompts: string[] = [];
  const content = [{ type: "text", text: "Speak in rhymes." }];
  await editor.initialize();
  for (const more of [
    {},
    { systemPrompt: { mode: "append", content } },
    { systemPrompt: { mode: "override", content } },
  ]) {
    const { sessionId } = await editor.newSession(more);
    await editor.prompt(sessionId, "hello");
    prompts.push(String(bodyOf(server, prompts.length)["instructions"]));
  }
  const [own = ""] = prompts;
  expect(prompts.slice(1)).toEqual([`${own}\n\nSpeak in rhymes.`, "Speak in rhymes."]);
  const wrong = editor.newSession({ systemPrompt: { mode: "shout", content } });
  expect(await wrong.catch((error) => error.code)).toBe(-32602);
});

test("prompts of MCP servers are commands, say what the server says, and come anew when they change", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("one"), calls("mcp__t__announce", {}), says("two")]);
  await useServer(home, server, { more: FREE });
  await using editor = new Editor(home);
  const fixture = join(import.meta.dir, "..", "fixtures", "mcp", "server.ts");
  const mcpServers = [{ name: "t", command: process.execPath, args: [fixture, "prompts"], env: [] }];
  const session = await editor.open({ mcpServers });
  const names = () =>
    editor
      .of(session, "available_commands_update")
      .map((update) =>
        update.sessionUpdate === "available_commands_update"
          ? update.availableCommands.map(({ name }) => name).filter((name) => name.startsWith("mcp__"))
          : [],
      );
  await editor.prompt(session, "/mcp__t__review_code a.ts with care");
  expect(dialogue(bodyOf(server, 0)).at(-1)).toContain('review code {"file":"a.ts","about":"with care"}');
  const missing = editor.prompt(session, "/mcp__t__review_code");
  expect(await missing.catch(({ code, message }) => [code, message.split("\n")[0]])).toEqual([
    -32602,
    "/mcp__t__review_code wants file",
  ]);
  await editor.prompt(session, "announce it");
  await editor.until(() => names().at(-1)?.length === 3);
  expect(names()).toEqual([
    ["mcp__t__review_code", "mcp__t__plain"],
    ["mcp__t__review_code", "mcp__t__plain", "mcp__t__late"],
  ]);
});

test("how far a server is, is shown until there is a result", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("mcp__t__progress", {}), says("done")]);
  await useServer(home, server, { more: FREE });
  await using editor = new Editor(home);
  const fixture = join(import.meta.dir, "..", "fixtures", "mcp", "server.ts");
  const session = await editor.open({
    mcpServers: [{ name: "t", command: process.execPath, args: [fixture], env: [] }],
  });
  await editor.prompt(session, "go");
  const shown = editor.of(session, "tool_call_update").map((update) => JSON.stringify(update));
  expect(shown.some((update) => update.includes("of 4: step"))).toBe(true);
  expect(editor.toolCalls(session).map(({ text, statuses }) => [text, statuses.at(-1)])).toEqual([
    ["done after all", "completed"],
  ]);
});

test("in the mode plan nothing is changed, until the person agrees to the plan or chooses another mode", async () => {
  await using home = await tempHome();
  const add = "*** Begin Patch\n*** Add File: made.txt\n+text\n*** End Patch";
  await using server = startFakeServer([
    calls("apply_patch", { input: add }),
    says("here is a plan"),
    calls("apply_patch", { input: add }),
    says("done"),
  ]);
  await useServer(home, server, { more: FREE });
  await using editor = new Editor(home);
  const sessionId = await editor.open();
  await editor.request("session/set_mode", { sessionId, modeId: "plan" });
  await editor.prompt(sessionId, "make a file");
  expect(await Bun.file(join(home.cwd, "made.txt")).exists()).toBe(false);
  expect(JSON.stringify(bodyOf(server, 0))).toContain("The user has switched planning on");
  await editor.request("session/set_mode", { sessionId, modeId: "full-access" });
  await editor.prompt(sessionId, "do it");
  expect(await readFile(join(home.cwd, "made.txt"), "utf8")).toBe("text\n");
  expect(modesTold(editor, sessionId)).toEqual(["plan", "full-access"]);
});

test("a plan that is handed in by a tool is asked about, and a yes ends the mode", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("ExitPlanMode", { plan: "1. Make it." }), says("done")]);
  await useServer(home, server, { more: `${FREE}\nharness = "claude-code"`, wire: "messages" });
  await using editor = new Editor(home);
  const sessionId = await editor.open();
  await editor.request("session/set_mode", { sessionId, modeId: "plan" });
  await editor.prompt(sessionId, "make a file");
  expect(editor.questions.map(({ toolCall }) => toolCall.title)).toEqual(["Plan: Carry out this plan? …"]);
  expect(modesTold(editor, sessionId)).toEqual(["plan", "full-access"]);
});

test("a client that speaks draft 2 is answered with version 1", async () => {
  await using home = await tempHome();
  await using editor = new Editor(home);
  const answer = await editor.request<{ protocolVersion: number }>("initialize", {
    protocolVersion: 2,
    info: { name: "client", version: "2" },
    capabilities: {},
  });
  expect(answer.protocolVersion).toBe(1);
});

function modesTold(editor: Editor, sessionId: string): string[] {
  return editor
    .of(sessionId, "current_mode_update")
    .map((update) => (update.sessionUpdate === "current_mode_update" ? update.currentModeId : ""));
}
