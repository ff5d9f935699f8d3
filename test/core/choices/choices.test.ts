import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadConfig } from "../../../src/config/load.ts";
import { parseOverride } from "../../../src/config/overrides.ts";
import { modelsToChoose } from "../../../src/core/choices/models.ts";
import { findOtherServers, findServers, isUnconfigured } from "../../../src/core/choices/servers.ts";
import { tempHome } from "../../support/home.ts";
import { startLlamaServer } from "../../support/local-servers/llama-server.ts";
import { serveDocuments } from "../../support/loopback.ts";
import { startOllamaServer } from "../../support/ollama-server/server.ts";

const signal = new AbortController().signal;

const LM_STUDIO = {
  "/api/v1/models": {
    models: [
      {
        type: "llm",
        key: "a/idle",
        max_context_length: 32_768,
        loaded_instances: [],
        capabilities: { vision: true },
      },
      {
        type: "llm",
        key: "b/loaded",
        max_context_length: 131_072,
        loaded_instances: [{ config: { context_length: 4_096 } }],
        capabilities: { trained_for_tool_use: true },
      },
      { type: "embedding", key: "c/embed" },
    ],
  },
};

test("a server counts only as what it is: LM Studio where Ollama is looked for is not Ollama", async () => {
  await using server = serveDocuments(LM_STUDIO);
  await using home = await tempHome();
  const config = await loadConfig({ env: home.env, cwd: home.cwd, overrides: [] });
  const found = await findServers(config, { CODEX_OSS_PORT: String(server.port) }, signal);
  expect(found).toEqual([
    { id: "ollama", name: "Ollama", address: server.host, modelCount: undefined },
    { id: "lmstudio", name: "LM Studio", address: server.host, modelCount: 3 },
  ]);
});

test("models of LM Studio have what it tells of them, those in memory first", async () => {
  await using server = serveDocuments(LM_STUDIO);
  await using home = await tempHome();
  const env = { ...home.env, CODEX_OSS_PORT: String(server.port) };
  const config = await loadConfig({ env, cwd: home.cwd, overrides: [], systemFile: join(home.path, "none") });
  expect(await modelsToChoose({ provider: "lmstudio", config, env }, signal)).toEqual([
    {
      id: "b/loaded",
      context: 131_072,
      tools: true,
      images: false,
      efforts: [],
      isLoaded: true,
      isCloud: false,
    },
    { id: "a/idle", context: 32_768, images: true, efforts: [], isLoaded: false, isCloud: false },
  ]);
});

test("one model that can't be looked at does not hide the others", async () => {
  await using server = serveDocuments({
    "/api/tags": { models: [{ name: "odd:1b", size: 5 }] },
    "/api/ps": { models: [] },
  });
  await using home = await tempHome();
  const env = { ...home.env, OLLAMA_HOST: server.host };
  const config = await loadConfig({ env, cwd: home.cwd, overrides: [], systemFile: join(home.path, "none") });
  expect(await modelsToChoose({ provider: "ollama", config, env }, signal)).toEqual([
    { id: "odd:1b", bytes: 5, efforts: [], isLoaded: false, isCloud: false },
  ]);
});

test("a program is unconfigured without a provider and without any key", async () => {
  await using home = await tempHome();
  const load = (...overrides: string[]) =>
    loadConfig({
      env: home.env,
      cwd: home.cwd,
      overrides: overrides.map(parseOverride),
      systemFile: join(home.path, "none"),
    });
  const none = await load();
  expect(await isUnconfigured(none, home.env)).toBe(true);
  expect(await isUnconfigured(none, { ...home.env, GROQ_API_KEY: "k" })).toBe(false);
  expect(await isUnconfigured(await load("model_provider=ollama"), home.env)).toBe(false);
});

test("other model servers are told with what they have loaded, Ollama and LM Studio are not among them", async () => {
  await using llama = startLlamaServer({ model: "m.gguf", context: 16_384, slots: 2 });
  await using studio = serveDocuments(LM_STUDIO);
  await using locked = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ error: "no key" }, { status: 401 }),
  });
  const ports = [llama.port, studio.port, locked.port].map(Number);
  expect(await findOtherServers(signal, ports)).toEqual([
    {
      name: "llama.cpp",
      provider: "llamacpp",
      baseUrl: llama.baseUrl,
      modelCount: 1,
      context: 8192,
      needsKey: false,
    },
    { name: "a model server", baseUrl: `http://127.0.0.1:${locked.port}/v1`, modelCount: 0, needsKey: true },
  ]);
});

test("of very many models the cards of the newest are looked at, and all are offered", async () => {
  const models = Array.from({ length: 300 }, (_, i) => ({ name: `m${i}:1b`, contextLength: 40_960 }));
  await using server = startOllamaServer({ models });
  await using home = await tempHome();
  const env = { ...home.env, OLLAMA_HOST: server.host };
  const config = await loadConfig({ env, cwd: home.cwd, overrides: [], systemFile: join(home.path, "none") });
  const choices = await modelsToChoose({ provider: "ollama", config, env }, signal);
  expect(choices.map(({ id }) => id)).toEqual(models.map(({ name }) => name));
  expect(choices.filter(({ context }) => context === 40_960)).toHaveLength(200);
  expect(server.requests.filter(({ path }) => path === "/api/show")).toHaveLength(200);
});

test("a variable that names no address keeps nobody from choosing another server", async () => {
  await using home = await tempHome();
  const config = await loadConfig({ env: home.env, cwd: home.cwd, overrides: [] });
  const found = await findServers(config, { OLLAMA_HOST: "unix:///run/ollama" }, signal);
  expect(found[0]).toEqual({ id: "ollama", name: "Ollama", address: "wrong address", modelCount: undefined });
  expect(found[1]).toMatchObject({ id: "lmstudio", address: "127.0.0.1:1234" });
});

test("on an air-gapped machine a server outside is not asked whether it runs", async () => {
  await using home = await tempHome();
  const overrides = [parseOverride("air_gapped=true")];
  const config = await loadConfig({ env: home.env, cwd: home.cwd, overrides });
  const env = { OLLAMA_HOST: "http://ollama.example", CODEX_OSS_PORT: "" };
  const [ollama] = await findServers(config, env, signal);
  expect(ollama).toEqual({
    id: "ollama",
    name: "Ollama",
    address: "ollama.example",
    modelCount: undefined,
  });
});
