import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { bodyOf, conversation, exec, execText, threadId, useServer } from "../support/exec.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";

setDefaultTimeout(120_000);

const OPEN = ["-s", "danger-full-access"];
const NOWHERE = "01900000-0000-7000-8000-000000000000";

async function sessionFiles(home: TempHome): Promise<string[]> {
  const folder = join(home.path, "sessions");
  if (!existsSync(folder)) return [];
  return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl")).sort();
}

test("a resumed thread keeps its id and its file, and the model reads all that went before", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    calls("exec_command", { cmd: "echo hi" }),
    says("first answer"),
    says("second answer"),
  ]);
  await useServer(home, server);
  const first = await exec(home, [...OPEN, "first prompt"]);
  const second = await exec(home, [...OPEN, "resume", threadId(first.events), "second prompt"]);
  expect(threadId(second.events)).toBe(threadId(first.events));
  expect(await sessionFiles(home)).toHaveLength(1);
  expect(conversation(bodyOf(server, 2))).toEqual([
    "user: first prompt",
    "call exec_command",
    expect.stringMatching(/^result Chunk ID: [\s\S]*Process exited with code 0[\s\S]*hi\n$/),
    "assistant: first answer",
    "user: second prompt",
  ]);
});

test("a resumed run begins like the run before it, so that the server's prompt cache holds", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("one"), says("two")]);
  await useServer(home, server);
  const { events } = await exec(home, ["first"]);
  await exec(home, ["resume", threadId(events), "second"]);
  const [before, after] = [bodyOf(server, 0), bodyOf(server, 1)];
  const inputs = [before, after].map((body) => JSON.stringify(body["input"]).slice(0, -1));
  expect(inputs[1]?.startsWith(inputs[0] ?? "?")).toBe(true);
  expect(after["prompt_cache_key"]).toBe(before["prompt_cache_key"]);
});

test("usage goes on counting in a resumed thread, and in a fork", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("one"), says("two"), says("three")]);
  await useServer(home, server);
  const { events } = await exec(home, ["first"]);
  const id = threadId(events);
  const runs = [await exec(home, ["resume", id, "second"]), await exec(home, ["fork", id, "third"])];
  expect(runs.map((run) => run.events.at(-1)?.["usage"])).toMatchObject([
    { input_tokens: 20, output_tokens: 10 },
    { input_tokens: 30, output_tokens: 15 },
  ]);
});

test("a fork has an id and a file of its own, and leaves the other thread alone", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("one"), says("two"), says("three")]);
  await useServer(home, server);
  const first = await exec(home, ["first"]);
  const fork = await exec(home, ["fork", threadId(first.events), "second"]);
  expect(threadId(fork.events)).not.toBe(threadId(first.events));
  expect(await sessionFiles(home)).toHaveLength(2);
  expect(conversation(bodyOf(server, 1))).toEqual(["user: first", "assistant: one", "user: second"]);
  await exec(home, ["resume", threadId(first.events), "third"]);
  expect(conversation(bodyOf(server, 2))).toEqual(["user: first", "assistant: one", "user: third"]);
});

test("--last takes the newest thread of the folder, with --all the newest of any", async () => {
  await using home = await tempHome();
  await using server = startFakeServer(["one", "two", "three", "four"].map(says));
  await useServer(home, server);
  const [a, b] = [join(home.cwd, "a"), join(home.cwd, "b")];
  await Promise.all([mkdir(a), mkdir(b)]);
  const inA = await exec(home, ["in a"], { cwd: a });
  const inB = await exec(home, ["in b"], { cwd: b });
  const last = await exec(home, ["resume", "--last", "again"], { cwd: a });
  expect(threadId(last.events)).toBe(threadId(inA.events));
  expect(conversation(bodyOf(server, 2))).toEqual(["user: in a", "assistant: one", "user: again"]);
  await exec(home, ["resume", threadId(inB.events), "later"], { cwd: b });
  const all = await exec(home, ["resume", "--last", "--all", "more"], { cwd: a });
  expect(threadId(all.events)).toBe(threadId(inB.events));
});

test("--last in a folder without threads starts one", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("one")]);
  await useServer(home, server);
  const { exitCode } = await exec(home, ["resume", "--last", "hello"]);
  expect({ exitCode, said: conversation(bodyOf(server, 0)) }).toEqual({ exitCode: 0, said: ["user: hello"] });
});

test("the prompt of a resumed thread can come through stdin; beside a prompt stdin is not read", async () => {
  await using home = await tempHome();
  await using server = startFakeServer(["one", "two", "three"].map(says));
  await useServer(home, server);
  const id = threadId((await exec(home, ["first"])).events);
  await exec(home, ["resume", id], { stdin: "from stdin" });
  expect(conversation(bodyOf(server, 1)).at(-1)).toBe("user: from stdin");
  const { stderr } = await exec(home, ["resume", id, "from argument"], { stdin: "not read" });
  expect(conversation(bodyOf(server, 2)).at(-1)).toBe("user: from argument");
  expect(stderr).not.toContain("stdin");
});

for (const command of ["resume", "fork"]) {
  test(`${command} of an id that nobody has says so and sends nothing`, async () => {
    await using home = await tempHome();
    await using server = startFakeServer([]);
    await useServer(home, server);
    const { exitCode, stdout, stderr } = await exec(home, [command, NOWHERE, "go"]);
    expect({ exitCode, stdout, requests: server.requests.length }).toEqual({
      exitCode: 1,
      stdout: "",
      requests: 0,
    });
    expect(stderr).toContain(NOWHERE);
  });
}

test("options may stand before or after the subcommand", async () => {
  await using home = await tempHome();
  await using server = startFakeServer(["one", "two", "three"].map(says));
  await useServer(home, server);
  const id = threadId((await exec(home, ["first"])).events);
  await exec(home, ["-m", "before", "resume", id, "second"]);
  await exec(home, ["resume", id, "third", "-m", "after"]);
  expect([1, 2].map((index) => bodyOf(server, index)["model"])).toEqual(["before", "after"]);
});

test("an ephemeral run keeps nothing in the home but its settings", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("exec_command", { cmd: "true" }), says("done")]);
  await useServer(home, server);
  const { exitCode } = await exec(home, [...OPEN, "--ephemeral", "go"]);
  expect({ exitCode, home: await readdir(home.path) }).toEqual({ exitCode: 0, home: ["config.toml"] });
});

test("an ephemeral run of an earlier thread reads it and adds nothing to it", async () => {
  await using home = await tempHome();
  await using server = startFakeServer(["one", "two"].map(says));
  await useServer(home, server);
  const id = threadId((await exec(home, ["first"])).events);
  const [file = ""] = await sessionFiles(home);
  const path = join(home.path, "sessions", file);
  const before = await readFile(path, "utf8");
  await exec(home, ["--ephemeral", "resume", id, "second"]);
  expect(conversation(bodyOf(server, 1))).toEqual(["user: first", "assistant: one", "user: second"]);
  expect(await readFile(path, "utf8")).toBe(before);
});

test("a run whose prompt is missing leaves no session file", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([]);
  await useServer(home, server);
  await execText(home, [], { stdin: "" });
  expect(await sessionFiles(home)).toEqual([]);
});

test("a turn that was interrupted is told to the model when the thread goes on", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([
    calls("exec_command", { cmd: "echo started; sleep 1000" }),
    says("ok"),
  ]);
  await useServer(home, server);
  const first = await exec(home, [...OPEN, "go"], {
    onLine: (line, kill) => line.includes('"item.started"') && kill("SIGINT"),
  });
  await exec(home, [...OPEN, "resume", threadId(first.events), "go on"]);
  expect(conversation(bodyOf(server, 1))).toEqual([
    "user: go",
    "call exec_command",
    expect.stringMatching(/^result /),
    expect.stringMatching(/^user: <turn_aborted>/),
    "user: go on",
  ]);
});
