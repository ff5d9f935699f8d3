import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { run } from "../support/run.ts";

// Each test starts the program, some of them twice, on a machine that may be busy.
setDefaultTimeout(30_000);

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
    config: { verdict: "ok", detail: `no ${home.path}/config.toml: everything has its default` },
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
  const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const host = `127.0.0.1:${gone.port}`;
  await gone.stop(true);
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

test("a download is told in plain lines where nobody watches, and not begun for what is there", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }], registry: ["tiny:1b"] });
  const env = { OLLAMA_HOST: server.host };
  const { exitCode, stdout } = await run(home, ["pull", "tiny:1b"], { env });
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "pulling manifest",
    "pulling 000000000000: 0% (0 B of 1.0 kB)",
    "pulling 000000000000: 50% (500 B of 1.0 kB)",
    "pulling 000000000000: 100% (1.0 kB of 1.0 kB)",
    "pulling 111111111111: 0% (1.0 kB of 1.3 kB)",
    "pulling 111111111111: 50% (1.1 kB of 1.3 kB)",
    "pulling 111111111111: 100% (1.3 kB of 1.3 kB)",
    "verifying sha256 digest",
    "writing manifest",
    "success",
    "",
  ]);
  const again = await run(home, ["pull", "QWEN3:8b"], { env });
  expect(again.stdout).toBe("QWEN3:8b is installed already; --update looks for a newer one\n");
});

test("an air-gapped machine does not even try to download", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "air_gapped = true\n");
  await using server = startOllamaServer({ models: [], registry: ["tiny:1b"] });
  const { exitCode, stderr } = await run(home, ["pull", "tiny:1b"], { env: { OLLAMA_HOST: server.host } });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("air_gapped = true forbids a download: tiny:1b");
  expect(stderr).toContain("ollama create tiny:1b");
  expect(server.requests.some(({ path }) => path === "/api/pull")).toBe(false);
});
