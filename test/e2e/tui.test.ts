import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  calls,
  type FakeServer,
  type FakeTurn,
  says,
  sends,
  startFakeServer,
} from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";
import { startTui, type Tui, type TuiOptions } from "../support/tui.ts";
import { useModel } from "./fake-model.ts";

// The patience with the screen is what counts: a busy machine starts the program slowly.
setDefaultTimeout(120_000);

/** The composer with the settings read: before, the prompt is another one. */
const READY = /100% left/;
const FREE = ["--dangerously-bypass-approvals-and-sandbox"];

const COLOURLESS: readonly { args: string[]; env: Record<string, string> }[] = [
  { args: ["--no-color"], env: {} },
  { args: [], env: { NO_COLOR: "1" } },
];
test.each(COLOURLESS)(
  "without colours ($args, $env) nothing is coloured, and bold and dim stay",
  async ({ args, env }) => {
    await using server = startFakeServer([says("**bold** and `code`\n\n```js\nconst a = 1;\n```")]);
    await using talk = await talkWith(server, args, { env: { COLORTERM: "truecolor", ...env } });
    talk.tui.type("hi\r");
    await talk.tui.until("const a = 1;");
    expect(talk.tui.raw).not.toMatch(/\u001b\[[\d;]*(?:3[0-8]|4[0-8]|9\d|10\d)[\d;]*m/);
    expect(talk.tui.raw).toContain("\u001b[1m");
  },
);

test("pasted paths of pictures become pictures, several at once, too; a model without eyes gets the text", async () => {
  await using server = startFakeServer([]);
  await using talk = await talkWith(server);
  const { tui, home } = talk;
  const first = await home.write("one shot.png", "x");
  const second = await home.write("two.jpg", "x");
  const paste = (text: string) => tui.type(`\u001b[200~${text}\u001b[201~`);
  paste(`${first.replaceAll(" ", "\\ ")} '${second}'`);
  await tui.until("[Image #1 one shot.png 1 KB] [Image #2 two.jpg 1 KB]");
  tui.type("\u0015");
  paste("look at no-file.png");
  await tui.until("› look at no-file.png");
  tui.type("\u0015/model deepseek-chat\r");
  await tui.until("deepseek-chat via fake");
  paste(second);
  await tui.until("deepseek-chat can't look at pictures");
  await tui.until((screen) => screen.replace(/\n {2}/g, "").includes(`› ${second}`));
});

test("Ctrl+Z gives the terminal back, and what was written is there again when the user comes back", async () => {
  await using server = startFakeServer([]);
  await using talk = await talkWith(server);
  const { tui } = talk;
  tui.type("a draft\u001a");
  // Bracketed paste and focus reports are off, the cursor is shown.
  await tui.until(() => /\u001b\[\?1004l\u001b\[\?2004l[\s\S]*\u001b\[\?25h$/.test(tui.raw));
  await Bun.sleep(100); // it stops itself right after that
  tui.signal("SIGCONT");
  await tui.until(() =>
    /\u001b\[\?25h[\s\S]*\u001b\[\?2004h/.test(tui.raw.slice(tui.raw.lastIndexOf("\u001b[?2004l"))),
  );
  tui.type(" goes on");
  await tui.until("› a draft goes on");
});

test("lines that come at once without paste marks are one draft, and Enter sends them later", async () => {
  await using server = startFakeServer([says("GOT-IT")]);
  await using talk = await talkWith(server);
  const { tui } = talk;
  await Bun.sleep(150); // past the moment in which early keys are expected
  tui.type("line one\rline two\rline three");
  await tui.until(/› line one\n {2}line two\n {2}line three/);
  expect(server.requests).toEqual([]);
  await Bun.sleep(150); // Enter just after a paste is a part of it
  tui.type("\r");
  await tui.until("GOT-IT");
  expect(JSON.stringify(server.requests[0]?.body)).toContain("line one\\nline two\\nline three");
});

test("a conversation begins with who, where and with what, and ends with what it took", async () => {
  await using server = startFakeServer([says("Hello to you.")]);
  await using talk = await talkWith(server);
  expect(talk.tui.screen).toContain("fake-1 via fake · harness native");
  talk.tui.type("hi\r");
  await talk.tui.until("Hello to you.");
  await talk.tui.until("tok");
  talk.tui.type("\u0004");
  const { exitCode } = await talk.tui.ended;
  expect(exitCode).toBe(0);
  expect(talk.tui.history).toMatch(/1 turn · 10 in · 5 out\nContinue: interpreter resume [0-9a-f-]{36}/);
});

test("nothing is said at the end when nothing was said before", async () => {
  await using server = startFakeServer([]);
  await using talk = await talkWith(server);
  talk.tui.type("\u0003");
  await talk.tui.until("ctrl+c again to quit");
  talk.tui.type("\u0003");
  expect((await talk.tui.ended).exitCode).toBe(0);
  expect(talk.tui.history).not.toContain("Continue:");
});

test("keys that were typed before anything was painted are kept", async () => {
  await using server = startFakeServer([says("EARLY")]);
  await using home = await tempHome();
  await trust(home, server);
  await using tui = startTui(home, FREE);
  tui.type("typed early\r");
  await tui.until("EARLY");
  expect(textOfRequest(server, 0)).toContain("typed early");
});

test("a pasted text of several lines is one draft, and Enter right behind it sends it once", async () => {
  await using server = startFakeServer([says("all done")]);
  await using talk = await talkWith(server);
  talk.tui.type("\u001b[200~line one\nline two\nline three\u001b[201~");
  await talk.tui.until("line three");
  expect(server.requests).toHaveLength(0);
  talk.tui.type("\r");
  await talk.tui.until("all done");
  expect(server.requests).toHaveLength(1);
  expect(textOfRequest(server, 0)).toContain("line one\\nline two\\nline three");
});

test("Ctrl+C stops a turn, then asks before it leaves, and the terminal is as it was", async () => {
  await using server = startFakeServer([hangs("slow")]);
  await using talk = await talkWith(server);
  talk.tui.type("go\r");
  await talk.tui.until(/^ {2}slow/m);
  talk.tui.type("\u0003");
  await talk.tui.until("Interrupted.");
  talk.tui.type("\u0003");
  await talk.tui.until("again to quit");
  talk.tui.type("\u0003");
  expectRestored(talk.tui, await talk.tui.ended, 0);
});

test.each(["SIGTERM", "SIGHUP"] as const)("%s leaves the terminal as it was", async (signal) => {
  await using server = startFakeServer([]);
  await using talk = await talkWith(server);
  talk.tui.signal(signal);
  expectRestored(talk.tui, await talk.tui.ended, signal === "SIGTERM" ? 143 : 129);
});

test("settings that can't be read end the start with one message, and the terminal is as it was", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", 'sandbox_mode = "everything"\n');
  await using tui = startTui(home, []);
  expectRestored(tui, await tui.ended, 1);
  expect(tui.history).toContain("config.toml:1");
});

test("nothing that a model says controls the terminal", async () => {
  const evil = "x \u001b]52;c;cHduZWQ=\u0007 \u001b]0;PWN\u0007 \u001bP+q\u001b\\ END-7";
  await using server = startFakeServer([says(evil)]);
  await using talk = await talkWith(server);
  talk.tui.type("go\r");
  await talk.tui.until("END-7");
  expect(talk.tui.raw).not.toContain("\u001b]52;");
  expect(talk.tui.raw).not.toContain("\u001b]0;PWN");
  expect(talk.tui.raw).not.toContain("\u001bP");
});

test("the cursor stands behind wide letters, and Backspace takes a whole grapheme", async () => {
  await using server = startFakeServer([]);
  await using talk = await talkWith(server);
  const { tui } = talk;
  tui.type("日本語e\u0301👩‍👩‍👧x");
  await tui.until(() => tui.terminal.column === 2 + 6 + 1 + 2 + 1);
  tui.type("\u007f\u007f");
  await tui.until(() => tui.terminal.column === 2 + 6 + 1);
  await tui.until(/^› 日本語é?/mu);
});

test("Esc gives back what was queued, and nothing of it is sent", async () => {
  await using server = startFakeServer([hangs("slow words")]);
  await using talk = await talkWith(server);
  const { tui } = talk;
  tui.type("begin\r");
  await tui.until("slow words");
  tui.type("later please");
  tui.type("\t");
  await tui.until("queued: later please");
  tui.type("\u001b");
  await tui.until("Interrupted.");
  await tui.until("› later please");
  expect(server.requests).toHaveLength(1);
});

test("Enter steers the running turn; what waits behind it comes after its end", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = startFakeServer([
    async () => {
      await gate.promise;
      return calls("exec_command", { cmd: "true" });
    },
    says("steered"),
    says("and the rest"),
  ]);
  await using talk = await talkWith(server, FREE);
  const { tui } = talk;
  tui.type("begin\r");
  await tui.until("esc stops");
  tui.type("look here first\r");
  await tui.until("will be read at the next step: look here first");
  tui.type("then this\t");
  await tui.until("queued: then this");
  gate.resolve();
  await tui.until("and the rest");
  expect(textOfRequest(server, 1)).toContain("look here first");
  expect(textOfRequest(server, 1)).not.toContain("then this");
  expect(textOfRequest(server, 2)).toContain("then this");
});

test("a skill that the steering words name is read out to the model with them, once", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = startFakeServer([
    async () => {
      await gate.promise;
      return calls("exec_command", { cmd: "true" });
    },
    calls("exec_command", { cmd: "true" }),
    says("tidied"),
  ]);
  await using talk = await talkWith(server, FREE);
  const { tui, home } = talk;
  await home.write("~/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Tidies up.\n---\nSweep first.\n");
  tui.type("/new\r");
  await tui.until(/(?:interpreter [\d.]+[\s\S]*){2}/);
  tui.type("begin\r");
  await tui.until("esc stops");
  tui.type("now $tidy up\r");
  await tui.until("will be read at the next step: now $tidy up");
  gate.resolve();
  await tui.until("tidied");
  const told = textOfRequest(server, 2);
  expect(told.split("Sweep first.")).toHaveLength(2);
  expect(told).toMatch(/now \$tidy up.{1,80}<skill name=/);
});

test("a server that nobody reaches is named with what to do, and the draft's text comes back with Up", async () => {
  await using home = await tempHome();
  const server = startFakeServer([]);
  await trust(home, server);
  await server[Symbol.asyncDispose]();
  await using tui = startTui(home, [
    "-c",
    "model_providers.fake.stream_max_retries=0",
    "-c",
    "model_providers.fake.request_max_retries=0",
  ]);
  await tui.until(READY);
  tui.type("anyone there\r");
  await tui.until(/(?:cannot|could not|can't) (?:reach|connect)/i);
  await tui.until(/^› (?:Ask|$)/m);
  tui.type("\u001b[A");
  await tui.until("› anyone there");
});

test("what was typed is kept for the next conversation, private to its owner", async () => {
  await using server = startFakeServer([says("one")]);
  await using talk = await talkWith(server);
  talk.tui.type("remember me\r");
  await talk.tui.until("one");
  talk.tui.type("\u0004");
  await talk.tui.ended;
  const line: unknown = JSON.parse(await readFile(join(talk.home.path, "history.jsonl"), "utf8"));
  expect(line).toMatchObject({ text: "remember me", session_id: expect.any(String), ts: expect.any(Number) });
  await using again = startTui(talk.home, []);
  await again.until(READY);
  again.type("\u001b[A");
  await again.until("› remember me");
});

test("without a terminal it says so, and what to use instead", async () => {
  await using home = await tempHome();
  const { exitCode, stderr } = await run(home, ["hello"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("is not a terminal");
  expect(stderr).toContain("interpreter exec");
});

test("the transcript is shown unfolded on the alternate screen and leaves the main one as it was", async () => {
  await using server = startFakeServer([calls("exec_command", { cmd: "seq 1 60" }), says("COUNTED")]);
  await using talk = await talkWith(server, FREE);
  const { tui } = talk;
  tui.type("count\r");
  await tui.until("COUNTED");
  await tui.until(/tok$/m);
  const before = tui.screen;
  expect(before).not.toMatch(/^ +30$/m);
  tui.type("\u0014");
  await tui.until((screen) => tui.terminal.modes.has("1049") && /^ +50$/m.test(screen));
  tui.type("q");
  await tui.until(() => !tui.terminal.modes.has("1049"));
  expect(tui.screen).toBe(before);
});

test("a prompt and a picture of the command line are the first message", async () => {
  await using server = startFakeServer([says("SEEN")]);
  await using home = await tempHome();
  await trust(home, server);
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
  await Bun.write(join(home.cwd, "shot.png"), Buffer.from(png, "base64"));
  await using tui = startTui(home, ["what is this?", "-i", "shot.png"]);
  await tui.until("SEEN");
  expect(tui.history).toContain("› what is this?");
  expect(textOfRequest(server, 0)).toContain("shot.png");
});

test("an own command runs without a model, and the model reads it with the next message", async () => {
  await using server = startFakeServer([says("seen")]);
  await using talk = await talkWith(server);
  const { tui } = talk;
  tui.type("!echo own-$((40+2))\r");
  await tui.until("own-42");
  await tui.until(/^› Ask/m);
  expect(server.requests).toHaveLength(0);
  tui.type("what did I run?\r");
  await tui.until("seen");
  expect(textOfRequest(server, 0)).toContain("own-42");
});

type Talk = AsyncDisposable & { tui: Tui; home: TempHome };

async function talkWith(
  server: FakeServer,
  args: readonly string[] = [],
  options: TuiOptions = {},
): Promise<Talk> {
  const home = await tempHome();
  await trust(home, server);
  const tui = startTui(home, args, options);
  await tui.until(READY);
  return {
    tui,
    home,
    async [Symbol.asyncDispose]() {
      await tui[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

async function trust(home: TempHome, server: FakeServer): Promise<void> {
  const tables = `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`;
  await useModel(home, server, { tables });
}

function hangs(text: string): FakeTurn {
  const chunk = { choices: [{ index: 0, delta: { role: "assistant", content: `${text}\n\n` } }] };
  return sends([`data: ${JSON.stringify(chunk)}\n\n`], { end: "hang" });
}

function textOfRequest(server: FakeServer, index: number): string {
  return JSON.stringify(server.requests[index]?.body);
}

function expectRestored(tui: Tui, end: { exitCode: number; settings: string }, exitCode: number): void {
  expect(end.exitCode).toBe(exitCode);
  for (const setting of ["icanon", "echo", "isig"])
    expect(end.settings).toMatch(new RegExp(`(?:^|\\s)${setting}\\b`));
  const left = [...tui.terminal.modes].filter((mode) => mode !== "25");
  expect({ left, isCursorShown: tui.terminal.isCursorShown }).toEqual({ left: [], isCursorShown: true });
}

test("instructions of the project and the cost of a priced model are shown from start to end", async () => {
  await using server = startFakeServer([says("priced")]);
  await using home = await tempHome();
  await home.write("AGENTS.md", "Be brief.");
  const prices = '[model_prices."fake-1"]\ninput = 1000\noutput = 2000\n';
  const trusted = `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`;
  await useModel(home, server, { tables: prices + trusted });
  await using tui = startTui(home, FREE, { columns: 120 });
  await tui.until(READY);
  expect(tui.screen).toContain("full access, never asks · AGENTS.md");
  tui.type("hi\r");
  await tui.until(/15 tok · \$0\.02/);
  tui.type("\u0004");
  expect((await tui.ended).exitCode).toBe(0);
  expect(tui.history).toContain("1 turn · 10 in · 5 out · $0.02");
});
