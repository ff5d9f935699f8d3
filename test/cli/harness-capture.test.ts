import { expect, setDefaultTimeout, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { asObject, bodyOf, exec, listIn, useServer } from "../support/exec.ts";
import { answers, calls, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const GIT = "\nOn {{gitBranch}} (for {{gitMainBranch}}):\n{{gitChanges}}\n- {{gitCommits}}";
const FAKE = join(import.meta.dir, "../fixtures/capture/fake-cli.ts");

async function capture(home: TempHome, wire: "chat" | "messages", ...more: string[]) {
  const base = wire === "chat" ? "{baseUrl}" : "{origin}";
  const command = [process.execPath, FAKE, wire, base, "{prompt}", ...more];
  const { exitCode, stdout, stderr } = await run(home, [
    "harness",
    "capture",
    "mine",
    "-m",
    "m-1",
    "--",
    ...command,
  ]);
  const file = join(home.path, "harnesses/mine.yaml");
  const text = await Bun.file(file).text();
  return { exitCode, stdout, stderr, file, text, harness: asObject(parse(text)) };
}

test("a program's first request becomes a private harness that says the same", async () => {
  await using home = await tempHome();
  const { exitCode, stdout, file, text, harness } = await capture(home, "chat");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("\n7 of 10 facts of the first request are the same as the program's.\n");
  expect(stdout.match(/^different: .*$/gm)).toEqual([
    "different: names of tools",
    "different: tool open_file",
    "different: tool summon",
  ]);
  expect(stdout).toContain(
    '\n  the program: ["Nobody else has this.",{"type":"object","properties":{}}]\n  here: []\n',
  );
  expect(stdout).toContain("\nleft out, because nothing here would run them: summon\n");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(text).toMatch(/^# Captured from \S+ on \d{4}-\d\d-\d\d by .*\n# Private: /);
  expect(harness).toMatchObject({
    id: "mine",
    wires: ["chat"],
    prompt: {
      system: `You are Fake, with {{brace}}{braces}}.\nFolder: {{cwd}}. Day: {{dateShort}}.${GIT}`,
      setup: [{ role: "user", text: "<rules>\n{{projectInstructions}}\n</rules>" }],
      firstUser: "<ask>{{prompt}}</ask>",
      afterFirst: [],
    },
    vars: { brace: "{" },
    request: { wire: "chat", body: { temperature: 0.5 } },
    errors: { unknownTool: "Fake has no {{tool}}!" },
  });
  expect(text).not.toContain("somebody");
});

test("its tools run ours, with results in the program's words", async () => {
  await using home = await tempHome();
  const { harness } = await capture(home, "chat");
  const [shell, read] = listIn(harness, "tools").map(asObject);
  expect(shell).toMatchObject({
    name: "run_command",
    native: "shell",
    args: { command: "command" },
    result: {
      ok: "{{#output}}OUTPUT:\n{{output}}{{/output}}{{^output}}Nothing to see.{{/output}}{{#note}}\n{{note}}{{/note}}",
      error: "FAILED with {{exitCode}}:\n{{output}}{{#note}}\n{{note}}{{/note}}",
    },
  });
  expect(read).toMatchObject({
    name: "open_file",
    description: "Shows a file of the working folder.",
    native: "read",
    args: { path: "path", numbers: { value: "{n:4}| " } },
    result: { cases: { text: "<file>\n{{text}}\n</file>" } },
  });
});

test("a session with it is like one of the program", async () => {
  await using home = await tempHome();
  await capture(home, "chat");
  await home.write("a.txt", "one\ntwo\n");
  const command = (line: string) => calls("run_command", { command: line, why: "", loud: false });
  await using server = startFakeServer([
    command("echo hi"),
    command("echo no; exit 4"),
    command("true"),
    calls("open_file", { path: "a.txt" }),
    answers({ type: "call", name: "zzz", input: {} }),
    says("done"),
  ]);
  await useServer(home, server, { wire: "chat", more: 'harness = "mine"' });
  await exec(home, ["--dangerously-bypass-approvals-and-sandbox", "go"]);
  const messages = listIn(bodyOf(server, 5), "messages").map(asObject);
  expect(messages[0]?.["content"]).toContain(`You are Fake, with {{braces}}.\nFolder: ${home.cwd}. Day: `);
  expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
    "OUTPUT:\nhi\n",
    "FAILED with 4:\nno\n",
    "Nothing to see.",
    "<file>\n   1| one\n   2| two\n</file>",
    "Fake has no zzz!",
  ]);
});

test("on the messages wire blocks, marks, headers and query are kept, and who the program is stays out", async () => {
  await using home = await tempHome();
  const { stdout, harness, text } = await capture(home, "messages");
  expect(harness).toMatchObject({
    prompt: {
      system: [
        `You are Fake, with {{brace}}{braces}}.\nFolder: {{cwd}}. Day: {{dateShort}}.${GIT}`,
        "Be kind.",
      ],
      setup: [{ role: "user", text: "<rules>\n{{projectInstructions}}\n</rules>" }],
    },
    layout: { system: "blocks", cacheBreakpoints: 1, mergeUserMessages: true },
    request: {
      wire: "messages",
      query: { beta: "1" },
      headers: { "anthropic-beta": "kind-1" },
      body: { max_tokens: 777 },
      keyHeader: "x-api-key",
    },
  });
  expect(stdout).toContain("different: tool summon\n");
  expect(text).not.toMatch(/somebody|fake\/1/);
});

test("results that change from call to call are not taken for a form", async () => {
  await using home = await tempHome();
  const { harness } = await capture(home, "chat", "--clock");
  expect(asObject(listIn(harness, "tools")[0])["result"]).toBeUndefined();
});

test("what the user has already is not overwritten, and a program that is not known must say how it is run", async () => {
  await using home = await tempHome();
  await home.write("~/harnesses/mine.yaml", "id: mine\nextends: native\n");
  const failed = async (...args: string[]) => (await run(home, ["harness", "capture", ...args])).stderr;
  expect(await failed("mine", "--", "claude")).toContain("mine.yaml exists already");
  expect(await failed("other", "--", "mycli")).toContain("there is no recipe for running mycli");
  expect(await failed("other", "--", "none-of-it", "{prompt}")).toContain("none-of-it is not installed");
  expect(await failed("other")).toContain("wanted an id and a command after --");
  expect(await failed("other", "--", "echo", "hello", "{prompt}")).toMatch(
    /made no request with tools[\s\S]*hello/,
  );
});
