import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { bodyOf, completed, dialogue, exec, execText, useServer } from "../support/exec.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

/** Runs with these arguments; nothing may be sent. */
async function refused(args: readonly string[], config = "") {
  await using home = await tempHome();
  await using server = startFakeServer([]);
  await useServer(home, server, { more: config });
  const { exitCode, stdout, stderr } = await exec(home, args);
  expect({ stdout, requests: server.requests.length }).toEqual({ stdout: "", requests: 0 });
  return { exitCode, stderr };
}

/** Runs with these arguments and answers once; the request and what was said. */
async function accepted(args: readonly string[], config = "") {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server, { more: config });
  await mkdir(join(home.cwd, "sub"));
  await home.write("~/fast.config.toml", 'model = "fast-1"\nmodel_reasoning_effort = "low"\n');
  const result = await exec(home, args);
  const [request] = server.requests;
  return { ...result, path: request?.path, body: bodyOf(server, 0), cwd: home.cwd };
}

const USAGE_ERRORS: [title: string, args: string[], names: RegExp][] = [
  ["an unknown option", ["--no-such-option", "go"], /--no-such-option/],
  ["a mode that does not exist", ["-s", "open", "go"], /'open'.*--sandbox|--sandbox.*'open'/],
  ["a colour that does not exist", ["--color", "red", "go"], /--color/],
  ["a missing value", ["go", "--model"], /--model/],
  ["a second prompt", ["one", "two"], /two/],
];

for (const [title, args, names] of USAGE_ERRORS) {
  test(`${title} is a wrong command line: exit code 2 and how it is used`, async () => {
    const { exitCode, stderr } = await refused(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toMatch(names);
    expect(stderr).toContain("Usage:");
  });
}

const CONFIG_ERRORS: [title: string, args: string[], config: string, names: RegExp][] = [
  ["-c without a value", ["-c", "model", "go"], "", /missing '='.*: model/],
  ["-c without a key", ["-c", "=x", "go"], "", /Empty key/],
  [
    "a value of the wrong kind",
    ["-c", "model_context_window=many", "go"],
    "",
    /model_context_window.*integer/,
  ],
  ["an unknown mode in -c", ["-c", "sandbox_mode=open", "go"], "", /sandbox_mode.*"read-only"/],
  ["an unknown provider", ["-c", "model_provider=nobody", "go"], "", /nobody/],
  ["an unknown key with --strict-config", ["--strict-config", "-c", "modle=1", "go"], "", /`modle`/],
  [
    "an unknown key in the file with --strict-config, with its place",
    ["--strict-config", "go"],
    "modle = 1",
    /config\.toml:3:1: .*`modle`; did you mean `model`/,
  ],
  ["a broken file, with its place", ["go"], "broken = [", /config\.toml:\d+:\d+/],
  ["a folder for --cd that is missing", ["-C", "nowhere", "go"], "", /nowhere.*does not exist/],
  ["an unknown harness", ["--harness", "nothing", "go"], "", /`nothing` not found/],
];

for (const [title, args, config, names] of CONFIG_ERRORS) {
  test(`${title} is an error before anything is sent`, async () => {
    const { exitCode, stderr } = await refused(args, config);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(names);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
}

test("outside a repository a run needs --skip-git-repo-check, inside it does not", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server);
  const outside = await run(home, ["exec", "go"]);
  expect({ exitCode: outside.exitCode, stdout: outside.stdout, requests: server.requests.length }).toEqual({
    exitCode: 1,
    stdout: "",
    requests: 0,
  });
  expect(outside.stderr).toContain("--skip-git-repo-check");
  await home.write(".git/HEAD", "ref: refs/heads/main\n");
  await mkdir(join(home.cwd, "deep/down"), { recursive: true });
  const inside = await run(home, ["exec", "go"], { cwd: join(home.cwd, "deep/down") });
  expect({ exitCode: inside.exitCode, stdout: inside.stdout }).toEqual({ exitCode: 0, stdout: "done\n" });
});

test("-c takes TOML, and plain text where it is none", async () => {
  const { body } = await accepted(["-c", "model=plain-text", "-c", 'model_reasoning_effort="high"', "go"]);
  expect(body).toMatchObject({ model: "plain-text", reasoning: { effort: "high" } });
});

test("of two -c for one key the last wins, and an option wins over both", async () => {
  const { body } = await accepted(["-c", "model=a", "-m", "c", "-c", "model=b", "go"]);
  expect(body["model"]).toBe("c");
});

test("--profile lays its file over the settings", async () => {
  const { body } = await accepted(["--profile", "fast", "go"]);
  expect(body).toMatchObject({ model: "fast-1", reasoning: { effort: "low" } });
});

test("a profile that does not exist is a warning", async () => {
  const { body, events, exitCode } = await accepted(["-p", "none", "go"]);
  expect({ model: body["model"], exitCode }).toEqual({ model: "fake-1", exitCode: 0 });
  expect(String(completed(events, "error")[0]?.["message"])).toContain("profile none");
});

test("--ignore-user-config leaves the home's file out", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server, { more: 'model_reasoning_effort = "high"' });
  const provider = `{ name = "x", base_url = "${server.baseUrl}" }`;
  const { exitCode } = await exec(home, [
    "--ignore-user-config",
    ...["-c", `model_providers.other=${provider}`, "-c", "model_provider=other", "-m", "m"],
    "go",
  ]);
  expect({ exitCode, hasEffort: JSON.stringify(bodyOf(server, 0)).includes('"effort":"high"') }).toEqual({
    exitCode: 0,
    hasEffort: false,
  });
});

test("--chat-completions speaks the chat wire, whatever the provider says", async () => {
  const { path, exitCode } = await accepted(["--chat-completions", "go"]);
  expect({ path, exitCode }).toEqual({ path: "/v1/chat/completions", exitCode: 0 });
});

test("--cd is where commands run and what the model is told", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([calls("exec_command", { cmd: "pwd" }), says("done")]);
  await useServer(home, server);
  await mkdir(join(home.cwd, "sub"));
  const { events } = await exec(home, ["-s", "danger-full-access", "--cd", "sub", "go"]);
  const sub = await realpath(join(home.cwd, "sub"));
  expect(completed(events, "command_execution")).toMatchObject([{ aggregated_output: `${sub}\n` }]);
  expect(dialogue(bodyOf(server, 0)).join("\n")).toContain(`<cwd>${sub}</cwd>`);
});

test("--help of each subcommand goes to stdout and needs no settings", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "broken = [");
  for (const args of [["--help"], ["resume", "--help"], ["fork", "-h"], ["review", "--help"]]) {
    const { exitCode, stdout, stderr } = await run(home, ["exec", ...args]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("Usage: interpreter exec");
  }
});

test("a proxy variable does not catch requests to this machine", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server);
  const proxy = "http://127.0.0.1:9";
  const { stdout, exitCode } = await execText(home, ["go"], {
    env: { HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy },
  });
  expect({ stdout, exitCode }).toEqual({ stdout: "done\n", exitCode: 0 });
});
