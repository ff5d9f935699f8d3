import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { calls, type FakeServer, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { startTui } from "../support/tui.ts";
import { useModel } from "./fake-model.ts";
import { openTalk } from "./talk.ts";

setDefaultTimeout(120_000);

const READY = /100% left/;
const OUTSIDE = {
  cmd: "touch made-it",
  sandbox_permissions: "require_escalated",
  justification: "to make a file",
};

test("a question names its reason and reach, Enter and early keys say nothing, y runs the command once", async () => {
  await using talk = await openTalk([calls("exec_command", OUTSIDE), says("ALL-DONE")]);
  const { tui, home } = talk;
  tui.type("go\r");
  await tui.until("reason: to make a file");
  expect(tui.screen).toMatch(/y {2}once\n.*a {2}this session, this exact command/);
  tui.type("y"); // too early
  await Bun.sleep(350); // the pause that the question itself makes
  tui.type("\r");
  expect(existsSync(join(home.cwd, "made-it"))).toBe(false);
  await Bun.sleep(350);
  tui.type("y");
  await tui.until("ALL-DONE");
  expect(tui.history).toContain("✓ allowed once: touch made-it");
  expect(existsSync(join(home.cwd, "made-it"))).toBe(true);
});

test("with a rule, commands that begin so run without a question for the session", async () => {
  const makes = (name: string) =>
    calls("exec_command", { ...OUTSIDE, cmd: `mkdir -p ${name}`, prefix_rule: ["rm"] });
  await using talk = await openTalk([makes("one"), makes("two"), says("ALL-DONE")]);
  const { tui, home } = talk;
  tui.type("go\r");
  await tui.until("p  this session, commands that begin with  mkdir");
  await Bun.sleep(350);
  tui.type("p");
  await tui.until(/› mkdir$/m);
  tui.type("\r");
  await tui.until("ALL-DONE");
  expect([existsSync(join(home.cwd, "one")), existsSync(join(home.cwd, "two"))]).toEqual([true, true]);
  expect(tui.history.match(/allowed/g)).toHaveLength(1);
});

test("v shows a long command whole before it is answered, and q comes back to the question", async () => {
  const cmd = Array.from({ length: 60 }, (_, i) => `echo line-${i}`).join("\n");
  await using talk = await openTalk([calls("exec_command", { ...OUTSIDE, cmd }), says("ALL-DONE")]);
  const { tui } = talk;
  tui.type("go\r");
  await tui.until("v shows all");
  await Bun.sleep(350);
  tui.type("v");
  await tui.until("full text · q back");
  tui.type("G");
  await tui.until("echo line-59");
  tui.type("q");
  await tui.until("v shows all");
  tui.type("y");
  await tui.until("ALL-DONE");
});

test("a refusal with a reason goes to the model, and the turn goes on", async () => {
  await using talk = await openTalk([calls("exec_command", OUTSIDE), says("understood")]);
  const { tui, home, server } = talk;
  tui.type("go\r");
  await tui.until("reason: to make a file");
  await Bun.sleep(350);
  tui.type("n");
  await tui.until("What to do instead?");
  tui.type("write it yourself\r");
  await tui.until("understood");
  expect(JSON.stringify(server.requests[1]?.body)).toContain("write it yourself");
  expect(existsSync(join(home.cwd, "made-it"))).toBe(false);
});

test("a command, the choice in its list and the next draft in one write all arrive where they belong", async () => {
  await using talk = await openTalk([]);
  const { tui } = talk;
  tui.type("/permissions\r\u001b[B\rnext draft 漢字");
  await tui.until("› next draft 漢字");
  await tui.until("read-only, asks");
});

test.each(["\u001b", "\u0003"])("%j closes a list and nothing else", async (key) => {
  await using talk = await openTalk([]);
  const { tui } = talk;
  tui.type("/permissions\r");
  await tui.until("What commands may do");
  tui.type(key);
  await tui.until(/^› /m);
  tui.type("alive");
  await tui.until("› alive");
  expect(tui.screen).toContain("workspace-write, asks");
});

test("a resumed conversation is shown and goes on", async () => {
  await using server = startFakeServer([says("first answer"), says("second answer")]);
  await using home = await trusted(server);
  await using before = startTui(home, []);
  await before.until(READY);
  before.type("first question\r");
  await before.until("first answer");
  before.type("\u0004");
  await before.ended;
  const id = /interpreter resume (\S+)/.exec(before.history)?.[1] ?? "";
  await using tui = startTui(home, ["resume", id, "second question"]);
  await tui.until("second answer");
  expect(tui.history).toMatch(/› first question\s+first answer[\s\S]*› second question/);
  expect(JSON.stringify(server.requests[1]?.body)).toContain("first answer");
});

test("another model goes on with the conversation, which is not shown twice and can still be resumed", async () => {
  await using talk = await openTalk([says("first answer"), says("second answer")]);
  const { tui, server } = talk;
  tui.type("first question\r");
  await tui.until("first answer");
  await tui.until(/^› Ask/m);
  tui.type("/model other-1\r");
  await tui.until("other-1 via fake");
  tui.type("and now?\r");
  await tui.until("second answer");
  expect(server.requests[1]?.body).toMatchObject({ model: "other-1" });
  expect(JSON.stringify(server.requests[1]?.body)).toContain("first answer");
  await tui.until(/^› Ask/m);
  tui.type("\u0004");
  await tui.ended;
  expect(tui.history.match(/first answer/g)).toHaveLength(1);
  expect(tui.history).toMatch(/2 turns[\s\S]*interpreter resume/);
});

test("changed permissions count from the next command on, and the model is told", async () => {
  await using talk = await openTalk([says("one"), says("two")]);
  const { tui, server } = talk;
  tui.type("first\r");
  await tui.until(/^ {2}one/m);
  await tui.until(/^› Ask/m);
  tui.type("/permissions\r\u001b[B\r");
  await tui.until("Permissions from now on: read-only");
  tui.type("second\r");
  await tui.until(/^ {2}two/m);
  const messages = JSON.stringify(server.requests[1]?.body);
  expect(messages.match(/read-only sandbox/g)).toHaveLength(1);
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain("read-only sandbox");
});

test("a command in the background is shown, listed and ended", async () => {
  const sleeps = calls("exec_command", { cmd: "sleep 300", yield_time_ms: 250 });
  await using talk = await openTalk([sleeps, says("it runs")], {
    args: ["--dangerously-bypass-approvals-and-sandbox"],
  });
  const { tui } = talk;
  tui.type("start it\r");
  await tui.until("it runs");
  await tui.until(/sleep 300 · in the background/);
  tui.type("/ps\r");
  await tui.until(/\d+ {2}\S+ {2}sleep 300/);
  tui.type("/stop\r");
  await tui.until("Stopped 1.");
  await tui.until((screen) => !screen.includes("in the background, /ps"));
});

test("commands in the background that end with a change of settings are named, for the model too", async () => {
  const sleeps = calls("exec_command", { cmd: "sleep 300", yield_time_ms: 250 });
  await using talk = await openTalk([sleeps, says("it runs"), says("second answer")], {
    args: ["--dangerously-bypass-approvals-and-sandbox"],
  });
  const { tui, server } = talk;
  tui.type("start it\r");
  await tui.until("it runs");
  await tui.until(/sleep 300 · in the background/);
  tui.type("/model other-1\r");
  await tui.until(/background were ended,[^(]*\(sleep 300\)/);
  tui.type("go on\r");
  await tui.until("second answer");
  expect(JSON.stringify(server.requests[2]?.body)).toMatch(/background were ended[^"]* \d+ \(sleep 300\)/);
});

test("a new conversation knows nothing of the one before", async () => {
  await using talk = await openTalk([says("old answer"), says("new answer")]);
  const { tui, home, server } = talk;
  tui.type("old question\r");
  await tui.until("old answer");
  await tui.until(/^› Ask/m);
  tui.type("/new new question\r");
  await tui.until("new answer");
  expect(JSON.stringify(server.requests[1]?.body)).not.toContain("old answer");
  await tui.until(/^› Ask/m);
  tui.type("/export out.md\r");
  await tui.until("Written to");
  expect(await readFile(join(home.cwd, "out.md"), "utf8")).toBe("## new question\n\nnew answer\n");
});

test("the editor changes the draft, and one that fails leaves it as it was", async () => {
  await using server = startFakeServer([]);
  await using home = await trusted(server);
  const good = await home.write("good-editor", '#!/bin/sh\nprintf " and more" >> "$1"\n');
  const bad = await home.write("bad-editor", '#!/bin/sh\necho broken > "$1"\nexit 3\n');
  await using edited = startTui(home, [], { env: { VISUAL: `sh ${good}` } });
  await edited.until(READY);
  edited.type("a draft");
  edited.type("\u0007");
  await edited.until("› a draft and more");
  await using kept = startTui(home, [], { env: { VISUAL: `sh ${bad}` } });
  await kept.until(READY);
  kept.type("a draft\u0007");
  await kept.until("ended with 3");
  expect(kept.screen).toContain("› a draft");
});

test("keys that can't be meant end the start with what is wrong, and the terminal is as it was", async () => {
  await using server = startFakeServer([]);
  await using home = await tempHome();
  const trust = `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"`;
  await useModel(home, server, { tables: `${trust}\n[tui.keymap.global]\ncopy = "ctrl+t"` });
  await using tui = startTui(home, []);
  const { exitCode, settings } = await tui.ended;
  expect(exitCode).toBe(1);
  expect(tui.history).toContain('tui.keymap.global: "ctrl+t" is both open_transcript and copy');
  expect(settings).toMatch(/\sicanon\b.*\secho\b/s);
});

test("vim keys can be switched on and say in which mode they are", async () => {
  await using talk = await openTalk([says("ALL-DONE")]);
  const { tui, server } = talk;
  tui.type("/vim\r");
  await tui.until("vim keys: esc leaves the typing");
  tui.type("one twu three");
  await tui.until("INSERT · fake-1");
  tui.type("\u001b");
  await tui.until("NORMAL · fake-1");
  tui.type("bbcw");
  tui.type("two\r");
  await tui.until("ALL-DONE");
  expect(JSON.stringify(server.requests[0]?.body)).toContain("one two three");
});

test("an export holds what was said, and replaces no file", async () => {
  await using talk = await openTalk([says("The **answer**.")]);
  const { tui, home } = talk;
  tui.type("ask\r");
  await tui.until("The answer.");
  tui.type("/export out.md\r");
  await tui.until("Written to");
  expect(await readFile(join(home.cwd, "out.md"), "utf8")).toBe("## ask\n\nThe **answer**.\n");
  tui.type("/export out.md\r");
  await tui.until(/exist/i);
});

test("without any settings and with nothing running, the first start asks where a model is", async () => {
  await using home = await tempHome();
  await using tui = startTui(home, [], { env: { OLLAMA_HOST: "http://127.0.0.1:1" } });
  await tui.until("No model is set up yet");
  expect(tui.screen).toContain("Other server (base URL)");
});

async function trusted(server: FakeServer): Promise<TempHome> {
  const home = await tempHome();
  const tables = `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"`;
  await useModel(home, server, { tables });
  return home;
}
