import { expect, setDefaultTimeout, test } from "bun:test";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import {
  bodyOf,
  completed,
  conversation,
  dialogue,
  exec,
  outline,
  threadId,
  useServer,
} from "../support/exec.ts";
import { checkProtocol } from "../support/exec-protocol.ts";
import { answers, calls, type FakeTurn, refuses, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const OPEN = ["-s", "danger-full-access"];

/** A repository with AGENTS.md files on two levels. */
async function withRules(home: TempHome): Promise<{ sub: string; trusted: string }> {
  await home.write(".git/HEAD", "ref: refs/heads/main\n");
  await home.write("AGENTS.md", "Root rule.");
  await home.write("sub/AGENTS.md", "Sub rule.");
  await home.write("other/AGENTS.md", "Other rule.");
  return {
    sub: join(home.cwd, "sub"),
    trusted: `projects = { ${JSON.stringify(home.cwd)} = { trust_level = "trusted" } }`,
  };
}

async function told(home: TempHome, more: string, cwd = home.cwd) {
  await using server = startFakeServer([says("ok")]);
  await useServer(home, server, { more });
  const { events } = await exec(home, ["go"], { cwd });
  const rules = dialogue(bodyOf(server, 0)).find((line) => line.startsWith("user: # AGENTS.md")) ?? "";
  return { rules, events, warnings: completed(events, "error").map((item) => String(item["message"])) };
}

test("the rules of a trusted project are read from its root down to the working folder", async () => {
  await using home = await tempHome();
  const { sub, trusted } = await withRules(home);
  const { rules } = await told(home, trusted, sub);
  expect(rules.match(/\w+ rule\./g)).toEqual(["Root rule.", "Sub rule."]);
});

test("the user's own rules come first, and count in every project", async () => {
  await using home = await tempHome();
  const { trusted } = await withRules(home);
  await home.write("~/AGENTS.md", "My rule.");
  expect((await told(home, trusted)).rules.match(/\w+ rule\./g)).toEqual(["My rule.", "Root rule."]);
  expect((await told(home, "")).rules.match(/\w+ rule\./g)).toEqual(["My rule."]);
});

test("rules of a project that is not trusted are left out, and a warning says how to trust it", async () => {
  await using home = await tempHome();
  await withRules(home);
  const { rules, warnings } = await told(home, "");
  expect(rules).toBe("");
  expect(warnings.filter((text) => text.includes("AGENTS.md") && text.includes("trust_level"))).toHaveLength(
    1,
  );
});

test("an override stands in for the file beside it", async () => {
  await using home = await tempHome();
  const { sub, trusted } = await withRules(home);
  await home.write("sub/AGENTS.override.md", "Local rule.");
  expect((await told(home, trusted, sub)).rules.match(/\w+ rule\./g)).toEqual(["Root rule.", "Local rule."]);
});

test("other names for the file can be set", async () => {
  await using home = await tempHome();
  const { trusted } = await withRules(home);
  await home.write("third/RULES.md", "Third rule.");
  const more = `project_doc_fallback_filenames = ["RULES.md"]\n${trusted}`;
  const { rules } = await told(home, more, join(home.cwd, "third"));
  expect(rules.match(/\w+ rule\./g)).toEqual(["Root rule.", "Third rule."]);
});

test("rules beyond the budget are cut, with a warning", async () => {
  await using home = await tempHome();
  const { sub, trusted } = await withRules(home);
  const { rules, warnings } = await told(home, `project_doc_max_bytes = 13\n${trusted}`, sub);
  expect(rules).toContain("Root rule.");
  expect(rules).not.toContain("Sub rule.");
  expect(warnings.some((text) => text.includes("project_doc_max_bytes"))).toBe(true);
  expect((await told(home, `project_doc_max_bytes = 0\n${trusted}`)).rules).toBe("");
});

test("of files of many gigabytes only what is wanted is read, with a warning", async () => {
  await using home = await tempHome();
  const { trusted } = await withRules(home);
  const own = await home.write("~/AGENTS.md", "My rule.");
  const rules = join(home.cwd, "AGENTS.md");
  for (const path of [own, rules]) await truncate(path, 64 * 1024 ** 3);
  const { rules: read, warnings } = await told(home, `project_doc_max_bytes = 13\n${trusted}`);
  expect(read.match(/\w+ rule\./g)).toEqual(["My rule.", "Root rule."]);
  expect(warnings.filter((text) => text.includes(" cut after "))).toEqual([
    `${rules} cut after 13 bytes: project_doc_max_bytes is 13`,
    `${own} cut after 1048576 bytes: it has ${64 * 1024 ** 3}`,
  ]);
});

test("the context is sent once, and is the same in every request of the run", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("exec_command", { cmd: "true" }), says("done")]);
  await useServer(home, server);
  await exec(home, [...OPEN, "go"]);
  const [first, second] = [dialogue(bodyOf(server, 0)), dialogue(bodyOf(server, 1))];
  expect(second.slice(0, first.length)).toEqual(first);
  expect(first.filter((line) => line.includes("<environment_context>"))).toHaveLength(1);
});

const LIMIT = "model_auto_compact_token_limit = 5000";

test("a history that reaches the limit is replaced by a summary in the middle of a turn", async () => {
  await using home = await tempHome();
  const work: FakeTurn = {
    kind: "answer",
    parts: [
      { type: "text", text: "Working." },
      { type: "call", name: "exec_command", input: { cmd: "echo out" } },
    ],
    usage: { input: 6000, output: 10 },
  };
  await using server = startFakeServer([work, says("what was done"), says("done")]);
  await useServer(home, server, { more: LIMIT });
  const { stdout, events, exitCode } = await exec(home, [...OPEN, "first prompt"]);
  checkProtocol(stdout);
  const [before, summary, after] = [0, 1, 2].map((index) => bodyOf(server, index));
  expect(summary?.["tools"]).toEqual([]);
  expect(conversation(summary ?? {})).toEqual([
    "user: first prompt",
    "assistant: Working.",
    "call exec_command",
    expect.stringMatching(/^result /),
    expect.stringMatching(/^user: .*summary/),
  ]);
  expect(after?.["tools"]).toEqual(before?.["tools"]);
  expect(dialogue(after ?? {})).toEqual([
    ...dialogue(before ?? {}),
    expect.stringMatching(/^user: [\s\S]*summary[\s\S]*what was done$/),
  ]);
  expect({ exitCode, outline: outline(events).filter((type) => !type.includes("command")) }).toEqual({
    exitCode: 0,
    outline: [
      "thread.started",
      "turn.started",
      "item.completed agent_message",
      "item.completed agent_message",
      "turn.completed",
    ],
  });
  // The tokens of the summary count, too.
  expect(events.at(-1)).toMatchObject({ usage: { input_tokens: 6020, output_tokens: 20 } });
});

test("a resumed thread goes on from its summary, and the older summary is not summed up twice", async () => {
  await using home = await tempHome();
  const long = "word ".repeat(6000);
  await using server = startFakeServer([says(long), says("the summary"), says("two"), says("three")]);
  await useServer(home, server, { more: LIMIT });
  const { events } = await exec(home, ["first"]);
  await exec(home, ["resume", threadId(events), "second"]);
  expect(conversation(bodyOf(server, 2))).toEqual([
    "user: first",
    expect.stringMatching(/the summary$/),
    "user: second",
  ]);
  await exec(home, ["resume", threadId(events), "third"]);
  expect(conversation(bodyOf(server, 3))).toEqual([
    "user: first",
    expect.stringMatching(/the summary$/),
    "user: second",
    "assistant: two",
    "user: third",
  ]);
});

test("a request that does not fit is shortened by a summary and sent again", async () => {
  await using home = await tempHome();
  const overflow = refuses(400, {
    error: {
      code: "context_length_exceeded",
      message: "This model's maximum context length is 4096 tokens.",
    },
  });
  await using server = startFakeServer([
    answers({ type: "call", name: "exec_command", input: { cmd: "echo out" } }),
    overflow,
    says("the summary"),
    says("done"),
  ]);
  await useServer(home, server, { provider: "request_max_retries = 0\nstream_max_retries = 0" });
  const { exitCode, events } = await exec(home, [...OPEN, "go"]);
  expect({ exitCode, answers: completed(events, "agent_message") }).toEqual({
    exitCode: 0,
    answers: [{ type: "agent_message", text: "done" }],
  });
  expect(bodyOf(server, 2)["tools"]).toEqual([]);
  expect(conversation(bodyOf(server, 3))).toEqual(["user: go", expect.stringMatching(/the summary$/)]);
});

test("a first request that does not fit fails the turn: a summary could not help", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    refuses(400, { error: { code: "context_length_exceeded", message: "maximum context length exceeded" } }),
  ]);
  await useServer(home, server, { provider: "request_max_retries = 0\nstream_max_retries = 0" });
  const { exitCode, events } = await exec(home, ["go"]);
  expect({ exitCode, requests: server.requests.length, end: events.at(-1)?.["type"] }).toEqual({
    exitCode: 1,
    requests: 1,
    end: "turn.failed",
  });
});

test("compact_prompt replaces the request for the summary", async () => {
  await using home = await tempHome();
  const long = "word ".repeat(6000);
  await using server = startFakeServer([says(long), says("the summary"), says("two")]);
  await useServer(home, server, { more: `${LIMIT}\ncompact_prompt = "Sum it up."` });
  const { events } = await exec(home, ["first"]);
  await exec(home, ["resume", threadId(events), "second"]);
  expect(conversation(bodyOf(server, 1)).at(-1)).toBe("user: Sum it up.");
});
