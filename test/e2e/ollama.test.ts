import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FIXED_LINE, layOutDemoRepository } from "../../src/providers/demo/repository.ts";
import { says as fakeSays, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { startLmStudioServer } from "../support/local-servers/lm-studio.ts";
import { closedPort } from "../support/loopback.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { calls, type OllamaServer, says } from "../support/ollama-server/types.ts";
import { type RunResult, run } from "../support/run.ts";

// Each test starts the program, some of them twice, on a machine that may be busy.
setDefaultTimeout(120_000);

const OPEN = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];

async function exec(
  home: TempHome,
  server: Pick<OllamaServer, "host">,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<RunResult> {
  return await run(home, ["exec", ...OPEN, ...args], { env: { OLLAMA_HOST: server.host, ...env } });
}

test("with nothing configured, a running Ollama is used and said to be", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }], turns: [says("all done")] });
  const { exitCode, stdout, stderr } = await exec(home, server, ["-c", "model_context_window=16384", "go"]);
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(stderr).toContain(
    `\nNo provider is configured: using Ollama on ${server.origin}, model qwen3:8b, context 16384 tokens (model_context_window).`,
  );
  expect(stderr).toContain("context: 16384 tokens (model_context_window)");
});

test("every request of a session names the same window, so that the model is loaded once", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "qwen3:8b" }],
    turns: [
      calls("exec_command", { cmd: `echo ${"filler ".repeat(600)}` }),
      calls("exec_command", { cmd: `echo ${"filler ".repeat(500)}` }),
      says("a summary of it all"),
      says("all done"),
      says("and more"),
      says("still more"),
    ],
  });
  const window = ["-c", "model_context_window=8192", "-c", "model_auto_compact_token_limit=4500"];
  const { exitCode } = await exec(home, server, [
    "--oss",
    "-m",
    "qwen3:8b",
    "--harness",
    "native",
    ...window,
    "go",
  ]);
  expect(exitCode).toBe(0);
  const chats = server.chats();
  expect(chats.some((body) => !("tools" in body))).toBe(true);
  expect(new Set(chats.map(({ options }) => JSON.stringify(options)))).toEqual(new Set(['{"num_ctx":8192}']));
  expect(server.loads()).toBe(1);
});

const OVERFLOWS = {
  "0.13.4": "the input length exceeds the context length",
  "0.24.0": "the input length exceeds the context length",
  "0.32.15": JSON.stringify({
    error: {
      code: 400,
      message: "request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it",
      type: "exceed_context_size_error",
      n_prompt_tokens: 9001,
      n_ctx: 8192,
    },
  }),
  "0.0.0":
    "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length",
};

for (const [version, error] of Object.entries(OVERFLOWS)) {
  test(`a prompt that version ${version} has no room for is compacted, and the turn goes on`, async () => {
    await using home = await tempHome();
    await using server = startOllamaServer({
      version,
      models: [{ name: "qwen3:8b" }],
      turns: [
        calls("exec_command", { cmd: "echo one" }),
        { kind: "status", status: 400, body: { error } },
        says("a summary of it all"),
        says("all done"),
      ],
    });
    const args = ["--oss", "--harness", "native", "-c", "model_context_window=8192", "go"];
    const { exitCode, stdout } = await exec(home, server, args);
    expect([exitCode, stdout, server.loads()]).toEqual([0, "all done\n", 1]);
    expect(JSON.stringify(server.chats().at(-1)?.["messages"])).toContain("a summary of it all");
  });
}

test("an old server that cuts the prompt without a word is found out by its count", async () => {
  await using home = await tempHome();
  await home.write("long.txt", "many different words stand here, ".repeat(100));
  await using server = startOllamaServer({
    version: "0.11.4",
    models: [{ name: "qwen3:8b", contextLength: 2500, hidesContextLength: true }],
    turns: [
      calls("exec_command", { cmd: "cat long.txt" }),
      calls("exec_command", { cmd: "cat long.txt; echo" }),
      says("all done"),
    ],
  });
  const args = ["--oss", "--harness", "native", "-c", "model_context_window=16384", "go"];
  const { exitCode, stderr } = await exec(home, server, args);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/Ollama has read only \d+ tokens of about \d+ that were sent/);
  expect(stderr).toContain("Update Ollama, or raise the context");
});

test("a window that the server lowered without a word is told", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "old:7b", contextLength: 12_000, hidesContextLength: true }],
    turns: [calls("exec_command", { cmd: "true" }), says("all done")],
  });
  const args = ["--oss", "-c", "model_context_window=30000", "go"];
  const { exitCode, stderr } = await exec(home, server, args);
  expect(exitCode).toBe(0);
  const notice = "Ollama has loaded old:7b with 12000 tokens, not with the 30000 that were asked for";
  expect(stderr.split(notice).length - 1).toBe(1);
});

test("a name without a tag finds the installed model, and nothing is downloaded", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "llama3" }], turns: [says("all done")] });
  const { exitCode } = await exec(home, server, ["--oss", "-m", "LLAMA3", "go"]);
  expect(exitCode).toBe(0);
  expect(server.chats()[0]?.["model"]).toBe("llama3:latest");
  expect(server.requests.some(({ path }) => path === "/api/pull")).toBe(false);
});

test("a model that is not installed is named, with those that are and what to do", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }, { name: "other:3b" }] });
  const { exitCode, stderr } = await exec(home, server, ["--oss", "-m", "qwen3:70b", "go"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `the model qwen3:70b is not installed in Ollama at ${server.origin}; installed: qwen3:8b, other:3b`,
  );
  expect(stderr).toContain("did you mean qwen3:8b? Else `interpreter pull qwen3:70b` downloads it");
});

test("without a model named, one that is here and has tools is taken, never one in the cloud", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "big:480b-cloud", remoteHost: "https://ollama.com:443" }, { name: "qwen3:8b" }],
    turns: [says("all done")],
  });
  expect((await exec(home, server, ["--oss", "go"])).exitCode).toBe(0);
  expect(server.chats()[0]?.["model"]).toBe("qwen3:8b");
  const refused = await exec(home, server, ["--oss", "-m", "big:480b-cloud", "-c", "air_gapped=true", "go"]);
  expect([refused.exitCode, refused.stderr.includes("air_gapped = true forbids")]).toEqual([1, true]);
});

test("an air-gapped machine refuses a provider elsewhere before anything is sent", async () => {
  await using home = await tempHome();
  const { exitCode, stderr } = await run(home, ["exec", ...OPEN, "-c", "air_gapped=true", "go"], {
    env: { OPENAI_API_KEY: "k" },
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "air_gapped = true forbids the provider openai: api.openai.com is not in the private network",
  );
});

test("no server at all: the places that were looked at, and how to start one", async () => {
  await using home = await tempHome();
  const port = await closedPort();
  const env = { CODEX_OSS_PORT: String(port) };
  const { exitCode, stderr } = await run(home, ["exec", ...OPEN, "--oss", "go"], { env });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `no local model server is running; looked for Ollama at http://127.0.0.1:${port} and LM Studio at http://127.0.0.1:${port}`,
  );
  expect(stderr).toContain("`ollama serve`");
  const named = await run(home, ["exec", ...OPEN, "--local-provider", "ollama", "go"], { env });
  expect(named.stderr).toContain(`Ollama does not answer at http://127.0.0.1:${port}`);
});

test("a model without tools works with commands in text, and the user is told once", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "gemma3:4b", capabilities: ["completion"] }],
    turns: [says("First a file.\n\n```do\necho hello > out.txt\n```"), says("The file is there.")],
  });
  const { exitCode, stdout, stderr } = await exec(home, server, ["--oss", "-m", "gemma3:4b", "go"]);
  expect([exitCode, stdout]).toEqual([0, "The file is there.\n"]);
  expect(await readFile(join(home.cwd, "out.txt"), "utf8")).toBe("hello\n");
  expect(stderr.split("gemma3:4b can't call tools").length - 1).toBe(1);
  expect(server.chats().every((body) => body["tools"] === undefined)).toBe(true);
  expect(stderr).toContain("harness: minimal");
  expect(JSON.stringify(server.chats()[0]).length).toBeLessThan(6000);
});

test("an old server that does not tell what a model can do is tried once, and that is remembered", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    version: "0.5.13",
    models: [{ name: "old:7b", capabilities: null }],
    turns: [
      {
        kind: "status",
        status: 400,
        body: { error: "registry.ollama.ai/library/old:7b does not support tools" },
      },
      says("```do\necho one > out.txt\n```"),
      says("done"),
      says("```do\necho two > out.txt\n```"),
      says("done again"),
    ],
  });
  const first = await exec(home, server, ["--oss", "-m", "old:7b", "go"]);
  expect([first.exitCode, first.stdout]).toEqual([0, "done\n"]);
  const second = await exec(home, server, ["--oss", "-m", "old:7b", "go"]);
  expect([second.exitCode, second.stdout]).toEqual([0, "done again\n"]);
  expect(server.chats().map((body) => "tools" in body)).toEqual([true, false, false, false, false]);
});

/** A script that repairs slug.sh of the demo repository and runs its tests. */
const REPAIR = `cat > slug.sh <<'EOF'\n#!/bin/sh\n${FIXED_LINE}\nEOF\nsh test.sh`;

test("a weak model with a small window repairs the demo repository", async () => {
  await using home = await tempHome();
  await layOutDemoRepository(join(home.cwd, "repo"));
  await using server = startOllamaServer({
    models: [{ name: "tiny:1b", capabilities: ["completion"], contextLength: 8192 }],
    turns: [
      says("I would first run the tests with `sh test.sh`."),
      says("```bash\nsh test.sh\n```"),
      says("The output will be:\n```do\ncat slug.sh"),
      { kind: "answer", parts: [{ type: "text", text: "```do\ncat slu" }], end: "cut" },
      says(`Now I fix it.\n\`\`\`do\n${REPAIR}\n\`\`\`\nIt prints 4 passed.\n\`\`\`do\nrm -rf .\n\`\`\``),
      says("The tests pass now."),
    ],
  });
  const { exitCode, stdout } = await run(home, ["exec", ...OPEN, "--oss", "-m", "tiny:1b", "repair it"], {
    cwd: join(home.cwd, "repo"),
    env: { OLLAMA_HOST: server.host },
  });
  expect([exitCode, stdout]).toEqual([0, "The tests pass now.\n"]);
  const tests = Bun.spawnSync(["sh", "test.sh"], { cwd: join(home.cwd, "repo") });
  expect([tests.exitCode, tests.stdout.toString().trimEnd().split("\n").at(-1)]).toEqual([
    0,
    "4 passed, 0 failed",
  ]);
});

test("printed calls, broken JSON and a small window do not keep a model with tools from the repair", async () => {
  await using home = await tempHome();
  const cwd = join(home.cwd, "repo");
  await layOutDemoRepository(cwd);
  const printed = (args: string) =>
    says(`<tool_call>\n{"name": "exec_command", "arguments": ${args}}\n</tool_call>`);
  await using server = startOllamaServer({
    models: [{ name: "weak:4b", capabilities: ["completion", "tools"], contextLength: 8192 }],
    turns: [
      printed('{"cmd": "sh test.sh"}'),
      printed(`{'cmd': 'cat slug.sh',}`),
      calls("exec_command", { command: "ls" }),
      calls("Exec_Command", { CMD: REPAIR }),
      says("The tests pass now."),
    ],
  });
  const args = ["exec", ...OPEN, "--json", "--oss", "-m", "weak:4b", "repair it"];
  const { exitCode, events } = await run(home, args, { cwd, env: { OLLAMA_HOST: server.host } });
  expect([exitCode, events.at(-2)?.["item"]]).toEqual([
    0,
    { id: expect.any(String), type: "agent_message", text: "The tests pass now." },
  ]);
  expect(server.chats().map(({ options }) => options)).toEqual(Array(5).fill({ num_ctx: 8192 }));
  expect(Bun.spawnSync(["sh", "test.sh"], { cwd }).exitCode).toBe(0);
});

test("a harness that would fill a small window is refused when it was asked for", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }] });
  const args = ["--oss", "--harness", "native", "-c", "model_context_window=3000", "go"];
  const { exitCode, stderr } = await exec(home, server, args);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /the harness native takes about \d+ tokens, more than half of the context window of 3000/,
  );
  expect(stderr).toMatch(/these fit: .*minimal/);
});

test("LM Studio is found when Ollama is not running, and its window is what is loaded", async () => {
  await using home = await tempHome();
  await using server = startLmStudioServer({
    models: [{ key: "qwen/qwen3-8b", maxContext: 40_960, loadedContext: 12_000, tools: true }],
  });
  const env = { CODEX_OSS_BASE_URL: server.baseUrl };
  const { exitCode, stdout, stderr } = await run(home, ["exec", ...OPEN, "--oss", "-m", "qwen3-8b", "go"], {
    env,
  });
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(stderr).toContain("context: 12000 tokens (as it is loaded)");
  expect(stderr).toContain("qwen/qwen3-8b is loaded with a context of only 12000 tokens");
});

test("an LM Studio model that is not loaded is loaded with a useful window first", async () => {
  await using home = await tempHome();
  await using server = startLmStudioServer({
    models: [{ key: "qwen/qwen3-8b", maxContext: 40_960, tools: true }],
  });
  const env = { CODEX_OSS_BASE_URL: server.baseUrl };
  const { exitCode, stderr } = await run(home, ["exec", ...OPEN, "--oss", "go"], { env });
  expect(exitCode).toBe(0);
  expect(stderr).toContain("loading qwen/qwen3-8b into memory");
  expect(server.paths.filter((path) => path.startsWith("POST"))).toEqual([
    "POST /api/v1/models/load",
    "POST /v1/chat/completions",
  ]);
});

test("a model of the settings belongs to the provider whose key is missing, not to the server that runs", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", 'model = "gpt-5.5"\n');
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }] });
  const { exitCode, stderr } = await exec(home, server, ["go"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Missing environment variable: `OPENAI_API_KEY`");
});

test("a wire that was chosen is spoken, with a word about the window that it can't name", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([fakeSays("all done")]);
  const table = `model_providers.ollama={base_url="${server.baseUrl}",wire_api="chat"}`;
  const { exitCode, stderr } = await run(
    home,
    ["exec", ...OPEN, "-c", table, "--local-provider", "ollama", "-m", "x", "go"],
    {},
  );
  expect(exitCode).toBe(0);
  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
  expect(stderr).toContain("OLLAMA_CONTEXT_LENGTH");
});

test("through a wire that was chosen, a model is taken that is here and not in the cloud", async () => {
  await using home = await tempHome();
  const cloud = { name: "a:480b-cloud", remoteHost: "https://ollama.com:443" };
  await using server = startOllamaServer({ models: [cloud, { name: "tiny:1b" }], turns: [says("all done")] });
  const args = ["--oss", "--chat-completions", "go"];
  const { exitCode, stdout } = await exec(home, server, args);
  expect([exitCode, stdout, server.chats()]).toEqual([0, "all done\n", []]);
  const asked = server.requests.find(({ path }) => path === "/v1/chat/completions");
  expect(asked?.body?.["model"]).toBe("tiny:1b");
});

test("what answers in the place of Ollama but is not it is used as an ordinary server", async () => {
  await using home = await tempHome();
  await using server = startFakeServer([fakeSays("all done")]);
  const env = { CODEX_OSS_BASE_URL: server.baseUrl };
  const args = ["exec", ...OPEN, "--local-provider", "ollama", "-m", "x", "go"];
  const { exitCode, stdout, stderr } = await run(home, args, { env });
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(stderr).toContain(
    `${server.baseUrl} is not Ollama; it is used through its chat completions interface`,
  );
});

test("an agent has the window of its parent, so that it needs no other copy of the model", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "qwen3:8b" }],
    turns: [
      calls("task", { description: "count", prompt: "CHILD: count", subagent_type: "explore" }),
      says("3 files"),
      says("there are three"),
    ],
  });
  const { exitCode, stdout, stderr } = await exec(home, server, [
    ...["--oss", "-m", "qwen3:8b", "--harness", "opencode", "-c", "model_context_window=16384"],
    "how many files?",
  ]);
  expect([exitCode, stdout]).toEqual([0, "there are three\n"]);
  expect(stderr).toContain("agents\nAgent Alder (done): CHILD: count\n3 files\n");
  const windows = server.chats().map(({ options }) => JSON.stringify(options));
  expect(new Set(windows.map((text) => /"num_ctx":(\d+)/.exec(text)?.[1]))).toEqual(new Set(["16384"]));
});
