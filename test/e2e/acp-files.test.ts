import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Editor } from "../frontends/acp/editor.ts";
import { bodyOf, useServer } from "../support/exec.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";

setDefaultTimeout(30_000);

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
