import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Editor } from "../frontends/acp/editor.ts";
import { useServer } from "../support/exec.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { processesWith } from "../support/processes.ts";

setDefaultTimeout(120_000);

const ASKS = 'sandbox_mode = "read-only"\napproval_policy = "on-request"';

test("what is said during a turn is read by that turn, and both prompts end with it", async () => {
  const saying = Promise.withResolvers<void>();
  await using home = await tempHome();
  await using server = startFakeServer([
    async () => {
      await saying.promise;
      return says("first");
    },
    says("second"),
  ]);
  await useServer(home, server, { more: ASKS });
  await using editor = new Editor(home);
  const session = await editor.open();
  const first = editor.prompt(session, "begin");
  await editor.until(() => editor.of(session, "session_info_update").length > 0);
  const second = editor.prompt(session, "and this");
  // Answered once the second prompt was read: messages are taken in the order in which they come.
  await editor.request("session/list", {});
  saying.resolve();
  expect([(await first).stopReason, (await second).stopReason]).toEqual(["end_turn", "end_turn"]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("and this");
  await editor.leave();
});

test("a mode that is set during a conversation counts from the next call on", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    says("hello"),
    calls("exec_command", { cmd: "touch made" }),
    says("ok"),
  ]);
  await useServer(home, server, { more: ASKS });
  await using editor = new Editor(home);
  const session = await editor.open();
  await editor.prompt(session, "hello");
  await editor.request("session/set_mode", { sessionId: session, modeId: "full-access" });
  await editor.prompt(session, "make it");
  expect([existsSync(join(home.cwd, "made")), editor.questions.length]).toEqual([true, 0]);
  expect(editor.of(session, "current_mode_update")).toEqual([
    { sessionUpdate: "current_mode_update", currentModeId: "full-access" },
  ]);
  await editor.leave();
});

test("a prompt that is taken back as a request is answered with the protocol's error, and its command ends", async () => {
  const marker = `sleep 64.${process.pid}9`;
  await using home = await tempHome();
  await using server = startFakeServer([
    calls("exec_command", { cmd: marker, yield_time_ms: 30000 }),
    says("here"),
  ]);
  await useServer(home, server, { more: ASKS });
  await using editor = new Editor(home);
  const session = await editor.open();
  const control = new AbortController();
  const prompt = [{ type: "text", text: "run it" }];
  const running = editor.request("session/prompt", { sessionId: session, prompt }, control.signal);
  await editor.until(() => editor.toolCalls(session).at(-1)?.statuses.at(-1) === "in_progress");
  control.abort();
  await expect(running).rejects.toMatchObject({ code: -32800 });
  expect(processesWith(marker)).toEqual([]);
  expect((await editor.prompt(session, "again")).stopReason).toBe("end_turn");
  await editor.leave();
});

test("without a key, signing in says what is missing", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", 'model_provider = "openai"\nmodel = "some-model"\n');
  await using editor = new Editor(home);
  const { authMethods } = await editor.initialize();
  const refusal = await editor
    .request("authenticate", { methodId: authMethods?.[0]?.id ?? "" })
    .catch((cause: unknown) => cause);
  expect(refusal).toMatchObject({ code: -32000, message: expect.stringContaining("OPENAI_API_KEY") });
  await editor.leave();
});
