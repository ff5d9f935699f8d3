import { expect, test } from "bun:test";
import { catalogIds } from "../../src/providers/catalog.ts";
import { listProviders } from "../../src/providers/directory.ts";
import type { Env, ProviderValues } from "../../src/providers/settings.ts";

async function facts(id: string, values: ProviderValues = {}, env: Env = {}) {
  const { providers } = await listProviders(values, env);
  return providers.find((provider) => provider.id === id);
}

test("every built-in provider is listed, sorted, and usable without a key only on this machine", async () => {
  const { providers, broken } = await listProviders({}, {});
  expect([providers.map(({ id }) => id), broken]).toEqual([catalogIds().sort(), []]);
  expect(providers.filter(({ isReady }) => isReady).map(({ id }) => id)).toEqual([
    "jan",
    "llamacpp",
    "lmstudio",
    "localai",
    "ollama",
    "vllm",
  ]);
});

test("a provider is ready when its key is there", async () => {
  expect(await facts("deepseek", {}, { DEEPSEEK_API_KEY: "k" })).toEqual({
    id: "deepseek",
    name: "DeepSeek",
    wire: "chat",
    baseUrl: "https://api.deepseek.com",
    keyFrom: "variable",
    keyVariable: "DEEPSEEK_API_KEY",
    isReady: true,
    isLocal: false,
    defaultModel: "deepseek-v4-flash",
    isConfigured: false,
  });
  const ready = [{ OPENAI_API_KEY: "k" }, { CODEX_API_KEY: "k" }, { OPENAI_API_KEY: " " }].map(
    async (env) => (await facts("openai", {}, env))?.isReady,
  );
  expect(await Promise.all(ready)).toEqual([true, true, false]);
});

test("the source of a configured key is told, the key itself never", async () => {
  const values: ProviderValues = {
    model_providers: {
      deepseek: { experimental_bearer_token: "secret-1" },
      program: { base_url: "https://p.example/v1", auth: { command: "print-secret-2" } },
      free: { base_url: "http://127.0.0.1:8080/v1", wire_api: "chat" },
      signed: { base_url: "https://me:secret-3@s.example/v1?key=secret-4" },
    },
  };
  const { providers } = await listProviders(values, { GROQ_API_KEY: "secret-5" });
  const shown = providers
    .filter(({ isConfigured }) => isConfigured)
    .map(({ id, keyFrom, isReady, isLocal, baseUrl }) => [id, keyFrom, isReady, isLocal, baseUrl]);
  expect(shown).toEqual([
    ["deepseek", "config", true, false, "https://api.deepseek.com"],
    ["free", "nowhere", true, true, "http://127.0.0.1:8080/v1"],
    ["program", "command", true, false, "https://p.example/v1"],
    ["signed", "nowhere", true, false, "https://s.example/v1"],
  ]);
  expect(JSON.stringify(providers)).not.toContain("secret-");
});

test("a table at fault does not hide the others", async () => {
  const values: ProviderValues = { model_providers: { mine: { env_key: "K" }, aws: { aws: {} } } };
  const { providers, broken } = await listProviders(values, {});
  expect([providers.length, broken]).toEqual([
    catalogIds().length,
    [
      { id: "aws", problem: "model_providers.aws.aws is not supported: requests can't be signed for AWS" },
      { id: "mine", problem: "model_providers.mine needs a base_url" },
    ],
  ]);
});
