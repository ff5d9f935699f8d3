import { expect, setDefaultTimeout, test } from "bun:test";
import { tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

const CONFIG = `model_provider = "mine"

[model_providers.mine]
base_url = "https://user:secret-1@mine.example/v1?key=secret-2"
wire_api = "messages"
experimental_bearer_token = "secret-3"

[model_providers.broken]
env_key = "BROKEN_KEY"
`;

test("the provider in use comes first, then those with a key, and no key is shown", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", CONFIG);
  const { exitCode, stdout, stderr } = await run(home, ["providers"], { env: { GROQ_API_KEY: "secret-4" } });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toStartWith(`In use:
* mine                    messages   key in config.toml
      https://mine.example/v1

Ready to use:
  groq                    chat       GROQ_API_KEY (set)
      https://api.groq.com/openai/v1
  jan                     chat       no key
      http://127.0.0.1:1337/v1
  llamacpp                chat       no key
      http://127.0.0.1:8080/v1
  lmstudio                chat       no key
      http://127.0.0.1:1234/v1
  localai                 chat       no key
      http://127.0.0.1:8080/v1
  ollama                  `);
  expect(stdout).toContain(`
Without their key:
  302ai                   chat       302AI_API_KEY (not set)
      https://api.302.ai/v1
`);
  expect(stdout).toEndWith(
    "\n\nNot usable as configured:\n  broken: model_providers.broken needs a base_url\n",
  );
  expect(stdout).not.toContain("secret-");
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("with --json each provider has the same keys, and the one in use is marked", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", CONFIG);
  const { stdout } = await run(home, ["providers", "--json"], { env: { GROQ_API_KEY: "secret-4" } });
  const { active, providers, broken } = JSON.parse(stdout);
  const byId = new Map(providers.map((provider: { id: string }) => [provider.id, provider]));
  expect([active, byId.get("mine"), byId.get("groq")]).toEqual([
    "mine",
    {
      id: "mine",
      name: "mine",
      wire: "messages",
      base_url: "https://mine.example/v1",
      key_from: "config",
      key_variable: null,
      ready: true,
      local: false,
      configured: true,
      default_model: null,
      active: true,
    },
    {
      id: "groq",
      name: "Groq",
      wire: "chat",
      base_url: "https://api.groq.com/openai/v1",
      key_from: "environment",
      key_variable: "GROQ_API_KEY",
      ready: true,
      local: false,
      configured: false,
      default_model: "openai/gpt-oss-120b",
      active: false,
    },
  ]);
  expect([broken, stdout.includes("secret-")]).toEqual([
    [{ id: "broken", problem: "model_providers.broken needs a base_url" }],
    false,
  ]);
});

test("options of the command line count", async () => {
  await using home = await tempHome();
  const { stdout } = await run(home, ["providers", "-c", "model_provider=deepseek"]);
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "In use:",
    "* deepseek                chat       DEEPSEEK_API_KEY (not set)",
  ]);
});

test("a conflict in a provider's table is refused with its place", async () => {
  await using home = await tempHome();
  await home.write(
    "~/config.toml",
    `[model_providers.mine]\nbase_url = "http://h"\nenv_key = "K"\nauth = { command = "c" }\n`,
  );
  const { exitCode, stderr } = await run(home, ["providers"]);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining("auth and env_key cannot be used together"),
  ]);
});

test("a running local server is marked, with nothing configured and with --oss", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }] });
  const env = { OLLAMA_HOST: server.host };
  for (const args of [[], ["--oss"]]) {
    const { exitCode, stdout } = await run(home, ["providers", ...args], { env });
    expect([exitCode, stdout.split("\n")[1]?.split(" ").slice(0, 2)]).toEqual([0, ["*", "ollama"]]);
  }
});

test("the list is there while no local server runs, too", async () => {
  await using home = await tempHome();
  const { exitCode, stdout } = await run(home, ["providers", "--oss"], { env: { CODEX_OSS_PORT: "9" } });
  expect([exitCode, stdout.split("\n")[0]]).toEqual([0, "Ready to use:"]);
});
