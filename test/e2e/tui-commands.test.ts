import { expect, setDefaultTimeout, test } from "bun:test";
import { calls, type FakeChoice, type FakeTurn, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { startTui } from "../support/tui.ts";
import { useModel } from "./fake-model.ts";
import { openTalk, type Talk, type TalkOptions } from "./talk.ts";

setDefaultTimeout(120_000);

const READY = /100% left/;
const FREE = ["--dangerously-bypass-approvals-and-sandbox"];

function talk(turns: readonly (FakeTurn | FakeChoice)[], options: TalkOptions = {}): Promise<Talk> {
  return openTalk(turns, { args: FREE, columns: 100, rows: 40, ...options });
}

async function commitAll(home: TempHome, message: string): Promise<void> {
  const commands = [
    ["init", "-qb", "main"],
    ["add", "-A"],
    ["commit", "-qm", message],
  ];
  for (const args of commands) {
    const own = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    await Bun.spawn(["git", ...own, ...args], { cwd: home.cwd, env: home.env }).exited;
  }
}

test("/doctor checks the installation under the settings of the conversation", async () => {
  await using one = await talk([]);
  one.tui.type("/doctor\r");
  await one.tui.until(/ok {4}program {8}interpreter/);
  await one.tui.until(/model {10}fake-1/);
});

test("/review asks what to review, and a commit is named to the model", async () => {
  await using home = await tempHome();
  await home.write("a.txt", "one\n");
  await commitAll(home, "begin with one");
  const server = startFakeServer([says("No defects.")]);
  await using _ = server;
  await useModel(home, server, {
    tables: `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`,
  });
  await using tui = startTui(home, FREE, { columns: 100, rows: 40 });
  await tui.until(READY);
  tui.type("/review\r");
  await tui.until("uncommitted changes");
  tui.type("\u001b[B\u001b[B\r");
  await tui.until(/[0-9a-f]{7} {2}begin with one/);
  tui.type("\r");
  await tui.until("No defects.");
  expect(JSON.stringify(server.requests[0]?.body)).toMatch(/Review the commit [0-9a-f]{7} .*begin with one/);
});

test("/mcp tells the state of each server, a failed one with its reason, and verbose its tools", async () => {
  const tables =
    '[mcp_servers.gone]\ncommand = "/nonexistent/server"\n[mcp_servers.off]\ncommand = "x"\nenabled = false\n';
  await using one = await talk([], { tables });
  one.tui.type("/mcp\r");
  await one.tui.until(/gone {2}failed: .*\n.*off {2}switched off/);
});

test("/skills lists what can be named, with its place", async () => {
  await using one = await talk([]);
  await one.home.write("~/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Tidies up.\n---\nTidy.\n");
  one.tui.type("/new\r");
  await one.tui.until(/(?:interpreter [\d.]+[\s\S]*){2}/);
  one.tui.type("/skills\r");
  await one.tui.until(/\$tidy {2}Tidies up\.\n.*tidy\/SKILL\.md/);
});

test("/agent shows what an agent of the model has heard and said", async () => {
  const task = { description: "count the files", prompt: "Count what lies here.", subagent_type: "Explore" };
  const turns = [calls("Agent", task), says("There are three."), says("Three files.")];
  await using one = await talk(turns, { args: [...FREE, "--harness", "claude-code"] });
  const { tui } = one;
  tui.type("how many\r");
  await tui.until("Three files.");
  tui.type("/agent\r");
  await tui.until(/Explore {2}count the files/);
  tui.type("\r");
  await tui.until(
    (screen) =>
      tui.terminal.modes.has("1049") && /Count what lies here\.[\s\S]*There are three\./.test(screen),
  );
  tui.type("q");
  await tui.until(() => !tui.terminal.modes.has("1049"));
});

test("a side conversation knows what was said, is not kept, and the turn beside it goes on", async () => {
  const gate = Promise.withResolvers<void>();
  const turns = [
    says("MAIN-ONE"),
    async () => {
      await gate.promise;
      return says("MAIN-TWO");
    },
    says("SIDE-ONE"),
    says("MAIN-THREE"),
  ];
  await using one = await talk(turns);
  const { tui, server } = one;
  tui.type("first words\r");
  await tui.until("MAIN-ONE");
  await tui.until(/tok$/m);
  tui.type("second words\r");
  await tui.until("esc stops");
  tui.type("/side\r");
  await tui.until(/^ +side · /m);
  tui.type("aside words\r");
  await tui.until("SIDE-ONE");
  expect(JSON.stringify(server.requests[2]?.body)).toMatch(
    /first words.*MAIN-ONE.*second words.*aside words/,
  );
  expect(tui.screen).not.toContain("MAIN-TWO");
  tui.type("/new\r");
  await tui.until("/new: not in a side conversation");
  gate.resolve();
  tui.type("/side\r");
  await tui.until(/Back in the main conversation[\s\S]*MAIN-TWO/);
  tui.type("third words\r");
  await tui.until("MAIN-THREE");
  expect(JSON.stringify(server.requests[3]?.body)).not.toContain("SIDE-ONE");
  tui.type("\u0004");
  await tui.ended;
  expect(tui.history).toContain("3 turns");
  const files = [...new Bun.Glob("**/rollout-*.jsonl").scanSync({ cwd: one.home.path })];
  expect(files).toHaveLength(1);
});

test("/statusline leaves out what is not marked, at once and in the settings", async () => {
  await using one = await talk([]);
  one.tui.type("/statusline\r");
  await one.tui.until("The status line shows");
  one.tui.type(" "); // without the model
  await one.tui.until(/◻ model/);
  one.tui.type("\r");
  await one.tui.until("tui.status_line");
  await one.tui.until(/^ {2}full access · native · never asks .*100% left/m);
  expect(await Bun.file(`${one.home.path}/config.toml`).text()).toContain('status_line = ["harness", ');
});

test("/experimental switches a feature in the settings, and the conversation goes on", async () => {
  await using one = await talk([says("before"), says("AND-AFTER")]);
  one.tui.type("hi\r");
  await one.tui.until(/before[\s\S]*tok$/m);
  one.tui.type("/experimental\r");
  await one.tui.until("unified_exec");
  one.tui.type(" ");
  await one.tui.until(/◻ \w+/);
  one.tui.type("\r");
  await one.tui.until(/config\.toml: features\.\w+/);
  one.tui.type("again\r");
  await one.tui.until("AND-AFTER");
  expect(JSON.stringify(one.server.requests[1]?.body)).toContain("before");
  expect(await Bun.file(`${one.home.path}/config.toml`).text()).toMatch(/\[features\]\n\w+ = false/);
});

test("/diff shows the rows of the difference as they are, with the files beside them", async () => {
  await using one = await talk([], { columns: 110 });
  await one.home.write("a.txt", "one\n");
  await one.home.write("b.txt", "one\n");
  await commitAll(one.home, "first");
  await one.home.write("a.txt", "two\n");
  await one.home.write("b.txt", "two\n");
  one.tui.type("/diff\r");
  await one.tui.until("diff · 2 files");
  const rows = one.tui.screen.split("\n").map((row) => row.trimEnd());
  expect(rows.slice(0, 4)).toEqual([
    "▸ a.txt │ a.txt",
    "  b.txt │ @@ -1 +1 @@",
    "        │ -one",
    "        │ +two",
  ]);
});

test("in a locale that has only ASCII, nothing of our own is written in other characters", async () => {
  await using one = await talk([says("yes")], { env: { LC_ALL: "C" }, columns: 40 });
  const { tui } = one;
  tui.type("go\r");
  await tui.until("yes");
  tui.type("/permissions\r");
  await tui.until("What commands may do");
  tui.type("\u001b");
  await tui.until(READY);
  tui.type("\u0014");
  await tui.until("transcript - q back");
  tui.type("q");
  await tui.until("> Ask, or / for commands");
  expect(tui.raw.match(/[^\u0000-\u007f]/g)).toBeNull();
});
