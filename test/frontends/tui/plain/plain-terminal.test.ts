import { expect, setDefaultTimeout, test } from "bun:test";
import { useModel } from "../../../e2e/fake-model.ts";
import {
  calls,
  type FakeChoice,
  type FakeServer,
  type FakeTurn,
  says,
  sends,
  startFakeServer,
} from "../../../support/fake-server.ts";
import { type TempHome, tempHome } from "../../../support/home.ts";
import { startTui, type Tui } from "../../../support/tui.ts";

// A program is started for each test, on a machine that may be busy.
setDefaultTimeout(120_000);

type Talk = AsyncDisposable & { tui: Tui; home: TempHome; server: FakeServer };

/** A conversation in lines on a terminal of its own, at its prompt. */
async function talk(turns: readonly (FakeTurn | FakeChoice)[], config = ""): Promise<Talk> {
  const server = startFakeServer(turns);
  const home = await tempHome();
  const tables = `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`;
  await useModel(home, server, { tables, config });
  const tui = startTui(home, [], { env: { TERM: "dumb" }, columns: 100, rows: 40 });
  await tui.until(/^>$/m);
  return {
    tui,
    home,
    server,
    async [Symbol.asyncDispose]() {
      await tui[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const ASKS = 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"';

test("a conversation in lines has neither colours nor cursor movement, and Ctrl+D ends it", async () => {
  await using one = await talk([says("PLAIN-OK")]);
  one.tui.type("hi\n");
  await one.tui.until("PLAIN-OK\ndone in");
  one.tui.type("\u0004");
  const { exitCode, settings } = await one.tui.ended;
  expect(exitCode).toBe(0);
  expect(settings).toMatch(/\sicanon\b.*\secho\b/s);
  expect(one.tui.raw).not.toContain("\u001b");
  expect(one.tui.raw).not.toMatch(/[─│╭╰●◆⠋]/);
  expect(one.tui.history).toMatch(/1 turn - 10 in - 5 out\nContinue: interpreter resume [0-9a-f-]{36}/);
});

test("a consent is a numbered line, and what was refused goes to the model with the reason", async () => {
  await using one = await talk([calls("exec_command", { cmd: "touch made" }), says("as you like")], ASKS);
  one.tui.type("make it\n");
  await one.tui.until(/needs answer: Run this command\?[\s\S]*answer with a number:/);
  expect(one.tui.screen).toContain("$ touch made");
  one.tui.type("n\n");
  await one.tui.until("What to do instead");
  one.tui.type("write a note\n");
  await one.tui.until("as you like");
  expect(JSON.stringify(one.server.requests[1]?.body)).toContain("write a note");
  expect(await Bun.file(`${one.home.cwd}/made`).exists()).toBe(false);
});

test("a consent that is given lets the command run", async () => {
  await using one = await talk([calls("exec_command", { cmd: "echo made-it" }), says("all done")], ASKS);
  one.tui.type("make it\n");
  await one.tui.until("answer with a number:");
  one.tui.type("1\n");
  await one.tui.until(/running: echo made-it[\s\S]*done: echo made-it[\s\S]* {2}made-it[\s\S]*all done/);
});

function hangs(text: string): FakeTurn {
  const chunk = { choices: [{ index: 0, delta: { role: "assistant", content: text } }] };
  return sends([`data: ${JSON.stringify(chunk)}\n\n`], { end: "hang" });
}

test("Ctrl+C stops the turn first, and leaves with the second press at the prompt", async () => {
  const asked = Promise.withResolvers<void>();
  const hanging: FakeChoice = () => {
    asked.resolve();
    return hangs("never ends");
  };
  await using one = await talk([hanging]);
  one.tui.type("go\n");
  await asked.promise;
  one.tui.type("\u0003");
  await one.tui.until(/stopped\n>$/m);
  one.tui.type("\u0003");
  await one.tui.until("ctrl+c again to quit");
  one.tui.type("\u0003");
  expect((await one.tui.ended).exitCode).toBe(0);
});

test("a picker is a list of numbers, and changes what counts from then on", async () => {
  await using one = await talk([]);
  one.tui.type("/permissions\n2\n/status\n");
  await one.tui.until(/sandbox: +read-only\napprovals: +on-request/);
});

test("a line that ends with a backslash goes on in the next one", async () => {
  await using one = await talk([says("seen")]);
  one.tui.type("first\\\nsecond\n");
  await one.tui.until("seen");
  expect(JSON.stringify(one.server.requests[0]?.body)).toContain("first\\nsecond");
});

test("a command of the user's own is run and told to the model", async () => {
  await using one = await talk([says("seen")]);
  one.tui.type("!echo own-$((40+2))\n");
  await one.tui.until("  own-42");
  one.tui.type("what did I run?\n");
  await one.tui.until("seen");
  expect(JSON.stringify(one.server.requests[0]?.body)).toContain("own-42");
});

test("SIGTERM ends it in order", async () => {
  await using one = await talk([]);
  one.tui.signal("SIGTERM");
  expect((await one.tui.ended).exitCode).toBe(143);
});

test("a conversation in lines can be named, exported and compared with the last commit", async () => {
  await using one = await talk([says("An answer to keep.")]);
  one.tui.type("hi\n");
  await one.tui.until("done in");
  one.tui.type("/rename the kept one\n/export kept.md\n/diff\n/debug-config\n");
  await one.tui.until('This conversation is called "the kept one" now.');
  await one.tui.until("kept.md");
  await one.tui.until("There is no Git repository here");
  await one.tui.until('model = "fake-1"');
  expect(await Bun.file(`${one.home.cwd}/kept.md`).text()).toBe("## hi\n\nAn answer to keep.\n");
});

test("in lines, too, something can be asked beside the conversation", async () => {
  await using one = await talk([says("MAIN-ONE"), says("SIDE-ONE"), says("MAIN-TWO")]);
  one.tui.type("hi\n");
  await one.tui.until("MAIN-ONE\ndone in");
  one.tui.type("/side what is this\n");
  await one.tui.until("SIDE-ONE\ndone in");
  one.tui.type("/new\n");
  await one.tui.until("not in a side conversation");
  one.tui.type("/side\n");
  await one.tui.until("Back in the main conversation");
  one.tui.type("again\n");
  await one.tui.until("MAIN-TWO");
  expect(JSON.stringify(one.server.requests[1]?.body)).toContain("MAIN-ONE");
  expect(JSON.stringify(one.server.requests[2]?.body)).not.toContain("SIDE-ONE");
});
