import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { tempHome } from "../support/home.ts";
import { closedPort } from "../support/loopback.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { run } from "../support/run.ts";

// Each test starts the program, some of them twice, on a machine that may be busy.
setDefaultTimeout(120_000);

type Check = { name: string; verdict: string; detail: string; hint?: string };

function checksIn(stdout: string): Record<string, Omit<Check, "name">> {
  const { checks }: { checks: Check[] } = JSON.parse(stdout);
  return Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest]));
}

test("a machine with Ollama and a capable model is well, and each check has a verdict", async () => {
  await using home = await tempHome();
  await chmod(home.path, 0o700);
  await using server = startOllamaServer({
    models: [{ name: "qwen3:8b", capabilities: ["completion", "tools", "thinking"] }],
  });
  const env = { OLLAMA_HOST: server.host };
  const window = ["-c", "model_context_window=32768"];
  const { exitCode, stdout } = await run(home, ["doctor", "--json", "--oss", ...window], { env });
  expect(exitCode).toBe(0);
  const checks = checksIn(stdout);
  expect(Object.keys(checks)).toEqual([
    "program",
    "config",
    "home",
    "sandbox",
    "provider",
    "model",
    "context",
    "local servers",
  ]);
  const { config, home: folder, provider, model, context } = checks;
  expect({ config, folder, provider, model, context }).toEqual({
    config: { verdict: "ok", detail: `no ${home.path}/config.toml: all settings have their defaults` },
    folder: { verdict: "ok", detail: `${home.path}, private` },
    provider: { verdict: "ok", detail: `Ollama answers at ${server.origin}` },
    model: { verdict: "ok", detail: "qwen3:8b (tools, thinking)" },
    context: { verdict: "ok", detail: "32768 tokens (model_context_window)" },
  });
});

test("what is wrong comes with what to do, and the exit code tells", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", 'model_provider = "ollama"\n');
  await chmod(home.path, 0o755);
  const host = `127.0.0.1:${await closedPort()}`;
  const { exitCode, stdout } = await run(home, ["doctor"], { env: { OLLAMA_HOST: host } });
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`FAIL  provider       Ollama does not answer at http://${host}\n`);
  expect(stdout).toContain("start it with `ollama serve`");
  expect(stdout).toContain(`warn  home           others can read ${home.path}`);
});

test("settings that can't be read are one of the findings, not the end", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "model = \n");
  const { exitCode, stdout } = await run(home, ["doctor", "--json"]);
  expect(exitCode).toBe(1);
  const { config, sandbox } = checksIn(stdout);
  expect(config?.verdict).toBe("fail");
  expect(sandbox).toBeDefined();
});
