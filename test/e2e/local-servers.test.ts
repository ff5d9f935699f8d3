import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { says as saysAnywhere, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { calls, says } from "../support/local-servers/chat-answers.ts";
import { startLlamaServer } from "../support/local-servers/llama-server.ts";
import { startVllm } from "../support/local-servers/vllm.ts";
import { run } from "../support/run.ts";

// Each test starts the program, some of them twice, on a machine that may be busy.
setDefaultTimeout(120_000);

const OPEN = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];

async function exec(home: TempHome, id: string, baseUrl: string, args: readonly string[]) {
  const table = `model_providers.${id}={base_url="${baseUrl}",wire_api="chat"}`;
  return await run(home, [...OPEN, "-c", table, "-c", `model_provider=${id}`, ...args, "go"]);
}

test("of llama.cpp's server neither the model nor its window has to be named", async () => {
  await using home = await tempHome();
  await using server = startLlamaServer({
    model: "/models/m.gguf",
    context: 32_768,
    slots: 2,
    turns: [says("all done")],
  });
  const { exitCode, stdout, stderr } = await exec(home, "llamacpp", server.baseUrl, []);
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(stderr).toContain("\nmodel: /models/m.gguf\n");
  expect(stderr).toContain("\ncontext: 16384 tokens (what the server has loaded)\n");
});

test("a wish for more than the server has loaded is told, and does not count", async () => {
  await using home = await tempHome();
  await using server = startLlamaServer({ model: "m", context: 12_000, turns: [says("one"), says("two")] });
  const wide = await exec(home, "mine", server.baseUrl, ["-c", "model_context_window=65536"]);
  expect(wide.stderr).toContain("\ncontext: 12000 tokens (what the server has loaded)\n");
  expect(wide.stderr).toContain(
    "model_context_window is 65536, but the server has loaded 12000 tokens; start it with a larger -c",
  );
  const narrow = await exec(home, "mine", server.baseUrl, ["-c", "model_context_window=9000"]);
  expect(narrow.stderr).toContain("\ncontext: 9000 tokens (model_context_window)\n");
});

for (const build of [undefined, "2025-09"] as const) {
  test(`a request that llama.cpp's server${build ? ` of ${build}` : ""} has no room for is compacted, and the turn goes on`, async () => {
    await using home = await tempHome();
    await using server = startLlamaServer({
      model: "m",
      context: 20_000,
      restarted: { afterChats: 2, context: 5_500 },
      turns: [
        calls("exec_command", { cmd: `echo ${"filler ".repeat(1400)}` }),
        calls("exec_command", { cmd: `echo ${"filler ".repeat(1400)}` }),
        says("a summary of it all"),
        says("all done"),
      ],
      ...(build ? { build } : {}),
    });
    const args = ["--harness", "native", "--json"];
    const { exitCode, events } = await exec(home, "llamacpp", server.baseUrl, args);
    expect([exitCode, events.at(-2)?.["item"]]).toEqual([
      0,
      { id: expect.any(String), type: "agent_message", text: "all done" },
    ]);
    expect(JSON.stringify(server.chats.at(-1)?.body["messages"])).toContain("a summary of it all");
  });
}

test("a llama.cpp server that still loads its model is waited for, and that is said", async () => {
  await using home = await tempHome();
  const loading = Promise.withResolvers<void>();
  await using server = startLlamaServer({
    model: "m",
    context: 16_384,
    loading: loading.promise,
    turns: [says("all done")],
  });
  const retries = "model_providers.llamacpp.request_max_retries=0";
  const done = exec(home, "llamacpp", server.baseUrl, ["-m", "m", "-c", retries]);
  while (!server.paths.includes("GET /health")) await new Promise((resolve) => setImmediate(resolve));
  loading.resolve();
  const { exitCode, stdout, stderr } = await done;
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(stderr).toContain("loading m into memory");
  expect(stderr).toContain("the server is still loading its model, so a context of");
});

test("a server that was started without tool calls gets commands as text", async () => {
  await using home = await tempHome();
  const turns = [says("```do\necho hello > out.txt\n```"), says("The file is there.")];
  await using llama = startLlamaServer({ model: "m", context: 32_768, jinja: false, turns });
  const first = await exec(home, "llamacpp", llama.baseUrl, []);
  expect([first.exitCode, first.stdout]).toEqual([0, "The file is there.\n"]);
  expect(await readFile(join(home.cwd, "out.txt"), "utf8")).toBe("hello\n");
  expect(first.stderr).toContain("with --jinja it does better");
  expect(llama.chats.map(({ body }) => "tools" in body)).toEqual([true, false, false]);
  await using vllm = startVllm({ maxModelLen: 32_768, toolParser: false, turns });
  const second = await exec(home, "vllm", vllm.baseUrl, ["--harness", "native"]);
  expect([second.exitCode, second.stdout]).toEqual([0, "The file is there.\n"]);
  expect(second.stderr).toContain("with --enable-auto-tool-choice and --tool-call-parser it does better");
});

test("vLLM's window is read, and a model that it does not serve is refused with those that it does", async () => {
  await using home = await tempHome();
  await using server = startVllm({ model: "Qwen/Qwen3-8B", maxModelLen: 24_000, turns: [says("all done")] });
  const { exitCode, stderr } = await exec(home, "vllm", server.baseUrl, []);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("\nmodel: Qwen/Qwen3-8B\n");
  expect(stderr).toContain("\ncontext: 24000 tokens (what the server has loaded)\n");
  const wrong = await exec(home, "vllm", server.baseUrl, ["-m", "Qwen/Qwen3-4B"]);
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toContain(
    `the model Qwen/Qwen3-4B is not served at ${server.baseUrl}; it has: Qwen/Qwen3-8B`,
  );
  expect(wrong.stderr).toContain("did you mean Qwen/Qwen3-8B?");
});

const LONG_ANSWERS = "id: long\nextends: native\nrequest:\n  body: { max_tokens: 16000 }\n";

test("a harness that asks for long answers is held to the room that the window leaves", async () => {
  await using home = await tempHome();
  await home.write("~/harnesses/long.yaml", LONG_ANSWERS);
  await using server = startVllm({ model: "m", maxModelLen: 16_384, turns: [says("all done")] });
  const { exitCode } = await exec(home, "vllm", server.baseUrl, ["--harness", "long"]);
  const limits = server.chats.map(({ body }) => Number(body["max_tokens"]));
  expect([exitCode, limits.length]).toEqual([0, 1]);
  expect(limits[0]).toBeWithin(8_000, 16_000);
});

for (const words of ["requested", "too large", "passed"] as const) {
  test(`an answer that vLLM has no room for is asked for shorter, when it says "${words}"`, async () => {
    await using home = await tempHome();
    await home.write("~/harnesses/long.yaml", LONG_ANSWERS);
    const turns = [says("all done")];
    await using server = startVllm({ model: "m", maxModelLen: 16_384, tellsLength: false, words, turns });
    const args = ["-m", "m", "--harness", "long"];
    const { exitCode, stdout } = await exec(home, "vllm", server.baseUrl, args);
    expect([exitCode, stdout]).toEqual([0, "all done\n"]);
    const [first, second, ...more] = server.chats.map(({ body }) => Number(body["max_tokens"]));
    expect([first, more]).toEqual([16_000, []]);
    // Where the text blames the parameter, it is left out: then the server gives what room there is.
    expect(Number.isNaN(second) || (second !== undefined && second > 8_000 && second < 16_000)).toBe(true);
  });
}

test("a key that is missing is told when the turn begins, as with every other provider", async () => {
  await using home = await tempHome();
  await using server = startLlamaServer({
    model: "m",
    context: 16_384,
    apiKey: "k",
    turns: [says("all done")],
  });
  const table = `model_providers.mine={base_url="${server.baseUrl}",wire_api="chat",env_key="MINE_KEY"}`;
  const args = [...OPEN, "-c", table, "-c", "model_provider=mine", "-m", "m", "--json", "go"];
  const { exitCode, events } = await run(home, args);
  expect([exitCode, events.at(-1)?.["type"]]).toEqual([1, "turn.failed"]);
  expect(JSON.stringify(events.at(-1))).toContain("MINE_KEY");
  const { stdout } = await run(
    home,
    args.filter((arg) => arg !== "--json"),
    { env: { MINE_KEY: "k" } },
  );
  expect(stdout).toBe("all done\n");
});

test("a llama.cpp server in the place of Ollama is used with the model and window that it has", async () => {
  await using home = await tempHome();
  await using server = startLlamaServer({ model: "m.gguf", context: 16_384, turns: [says("all done")] });
  const env = { OLLAMA_HOST: server.origin };
  const args = [...OPEN, "--local-provider", "ollama", "go"];
  const { exitCode, stdout, stderr } = await run(home, args, { env });
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(stderr).toContain(
    `${server.baseUrl} is not Ollama; it is used through its chat completions interface`,
  );
  expect(stderr).toContain("\nmodel: m.gguf\n");
  expect(stderr).toContain("\ncontext: 16384 tokens (what the server has loaded)\n");
});

test("a server that wants a key says where to set it", async () => {
  await using home = await tempHome();
  await using server = startLlamaServer({
    model: "m",
    context: 16_384,
    apiKey: "k",
    turns: [says("all done")],
  });
  const { exitCode, stderr } = await exec(home, "jan", server.baseUrl, []);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${server.baseUrl} wants an API key, and none is set for the provider jan`);
  expect(stderr).toContain('add env_key = "JAN_API_KEY" below [model_providers.jan]');
});

test("a server of another wire than chat gets the model's request, and no question about itself", async () => {
  await using home = await tempHome();
  await using model = startFakeServer([saysAnywhere("all done")]);
  const asked: string[] = [];
  const front = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname}`);
      return await fetch(new URL(pathname, model.baseUrl), {
        method: request.method,
        body: await request.text(),
      });
    },
  });
  try {
    const table = `model_providers.mine={base_url="http://127.0.0.1:${front.port}/v1",wire_api="responses"}`;
    const args = [...OPEN, "-c", table, "-c", "model_provider=mine", "-m", "m", "go"];
    const { exitCode, stdout } = await run(home, args);
    expect([exitCode, stdout, asked]).toEqual([0, "all done\n", ["POST /v1/responses"]]);
  } finally {
    await front.stop(true);
  }
});
