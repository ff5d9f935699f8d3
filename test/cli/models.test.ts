import { expect, setDefaultTimeout, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type TempHome, tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const LIST = {
  object: "list",
  data: [
    { id: "gpt-5.5" },
    { id: "zeta-1", context_length: 65_536, supported_parameters: ["tools"] },
    {
      id: "maker/a-model-whose-name-is-longer-than-its-column-of-the-table-allows",
      context_length: 131_072,
      architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
      supported_parameters: ["max_tokens"],
    },
    { id: "text-embedding-1" },
    { id: "unheard-of" },
    { id: "bad\u001b[31mid" },
  ],
};

function startServer() {
  const paths: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      paths.push(new URL(request.url).pathname);
      return Response.json(LIST);
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    paths,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function configure(home: TempHome, baseUrl: string) {
  return home.write(
    "~/config.toml",
    `model = "zeta-1"
model_provider = "mine"

[model_providers.mine]
base_url = "${baseUrl}"
wire_api = "chat"
env_key = "MINE_KEY"
`,
  );
}

const KEY = { MINE_KEY: "secret-key-1" };

test("models are listed with what is known of them, the configured one marked", async () => {
  await using home = await tempHome();
  await using server = startServer();
  await configure(home, server.baseUrl);
  const { exitCode, stdout, stderr } = await run(home, ["models"], { env: KEY });
  expect([exitCode, stderr, server.paths]).toEqual([0, "", ["/v1/models"]]);
  expect(stdout).toBe(`mine: 4 models

  MODEL         CONTEXT  TAKES          EFFORTS
  gpt-5.5        272000  tools, images  none,low-xhigh
  maker/a-model-whose-name-is-longer-than-its-column-of-the-table-allows
                 131072  images         -
  unheard-of          ?  ?              -
* zeta-1          65536  tools, images  -
`);
});

test("with --json every model has the same keys", async () => {
  await using home = await tempHome();
  await using server = startServer();
  await configure(home, server.baseUrl);
  const { exitCode, stdout } = await run(home, ["models", "--provider", "mine", "--json"], { env: KEY });
  const { fetched_at, models, ...rest } = JSON.parse(stdout);
  expect([exitCode, rest, Number.isNaN(Date.parse(fetched_at))]).toEqual([
    0,
    { provider: "mine", cached: false },
    false,
  ]);
  const plain = { name: "unheard-of", efforts: [], images: true, tools: true };
  expect(models[2]).toEqual({ id: "unheard-of", context_window: null, ...plain, current: false });
  expect(models[3]).toEqual({
    id: "zeta-1",
    name: "zeta-1",
    context_window: 65_536,
    efforts: [],
    images: true,
    tools: true,
    current: true,
  });
});

test("when the server is gone its last list is shown, and said to be old", async () => {
  await using home = await tempHome();
  {
    await using server = startServer();
    await configure(home, server.baseUrl);
    await run(home, ["models"], { env: KEY });
  }
  const text = await run(home, ["models"], { env: KEY });
  expect([text.exitCode, text.stdout.split("\n")[0]]).toEqual([
    0,
    expect.stringMatching(/^mine: 4 models, cached \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  ]);
  expect(text.stderr).toMatch(
    /^warning: showing an earlier list: cannot reach the model server at 127\.0\.0\.1:/,
  );
  const json = await run(home, ["models", "--json"], { env: KEY });
  expect(JSON.parse(json.stdout)).toMatchObject({ provider: "mine", cached: true });
  const file = join(home.path, "models_cache.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await Bun.file(file).text()).not.toContain("secret-key-1");
});

test("a server that is gone and was never asked is an error", async () => {
  await using home = await tempHome();
  await configure(home, "http://127.0.0.1:1/v1");
  const { exitCode, stdout, stderr } = await run(home, ["models"], { env: KEY });
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toStartWith("error: cannot reach the model server at 127.0.0.1:1: ");
});

test("without its key a provider is not asked, and the variable is named", async () => {
  await using home = await tempHome();
  await using server = startServer();
  await configure(home, server.baseUrl);
  const { exitCode, stderr } = await run(home, ["models"]);
  expect([exitCode, server.paths]).toEqual([1, []]);
  expect(stderr).toStartWith("error: Missing environment variable: `MINE_KEY`.\n");
  expect(stderr).toContain(`  for good      a line MINE_KEY=... in ${home.path}/.env\n`);
});

test("a key in the settings folder's .env is found", async () => {
  await using home = await tempHome();
  await using server = startServer();
  await configure(home, server.baseUrl);
  await home.write("~/.env", "MINE_KEY=from-the-file\n");
  expect((await run(home, ["models"])).exitCode).toBe(0);
});

test("a provider that is not there is refused with the nearest name", async () => {
  await using home = await tempHome();
  const { exitCode, stderr } = await run(home, ["models", "--provider", "deepsek"]);
  expect([exitCode, stderr]).toEqual([
    1,
    "error: Model provider `deepsek` not found\ndid you mean `deepseek`?\n",
  ]);
});

test("the demo has its one model", async () => {
  await using home = await tempHome();
  const { exitCode, stdout } = await run(home, ["models", "--provider", "demo"]);
  expect([exitCode, stdout.split("\n")[0]]).toEqual([0, "demo: 1 model"]);
});

test("a word too many is a wrong command line", async () => {
  await using home = await tempHome();
  expect((await run(home, ["models", "groq"])).exitCode).toBe(2);
});

test("with nothing configured, the models are those of the local server that a session would use", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }] });
  const { exitCode, stdout } = await run(home, ["models"], { env: { OLLAMA_HOST: server.host } });
  expect([exitCode, stdout.split("\n")[0]]).toEqual([0, "ollama: 1 model"]);
});

/** The lines of the table that have the mark. */
function marked(stdout: string): string[] {
  return stdout.split("\n").flatMap((line) => /^\* (\S+)/.exec(line)?.[1] ?? []);
}

test("the mark stands beside the model of a local server that a run would take", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "gpt-oss:20b" }, { name: "qwen3:8b" }, { name: "tiny" }],
  });
  const env = { OLLAMA_HOST: server.host };
  const { stdout } = await run(home, ["models", "--oss"], { env });
  // What it is loaded with is known to the server only.
  expect(stdout).toMatch(/^\* gpt-oss:20b +\? {2}tools/m);
  expect(marked((await run(home, ["models", "--oss"], { env })).stdout)).toEqual(["gpt-oss:20b"]);
  const load = { model: "qwen3:8b", messages: [], options: { num_ctx: 16_384 } };
  await fetch(`${server.origin}/api/chat`, { method: "POST", body: JSON.stringify(load) });
  expect(marked((await run(home, ["models", "--oss"], { env })).stdout)).toEqual(["qwen3:8b"]);
  const named = await run(home, ["models", "--oss", "-c", "model=Tiny"], { env });
  expect(marked(named.stdout)).toEqual(["tiny:latest"]);
});
