import { expect, test } from "bun:test";
import { prepareOllama } from "../../../src/core/local/ollama.ts";
import { resolveProvider } from "../../../src/providers/resolve.ts";
import { toErrorInfo } from "../../../src/util/errors.ts";
import { tempHome } from "../../support/home.ts";
import { startOllamaServer } from "../../support/ollama-server/server.ts";
import type { InstalledModel } from "../../support/ollama-server/types.ts";

const SIGNAL = AbortSignal.timeout(20_000);

/** What the program makes of one installed model, and the bodies of its questions for the model's card. */
async function prepared(model: InstalledModel, env: Record<string, string> = {}) {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [model] });
  const client = { env: { OLLAMA_HOST: server.host, ...env }, originator: "test", sessionId: () => "" };
  const provider = await resolveProvider({ ...client, values: {}, id: "ollama", version: "0" });
  const question = { provider, named: model.name, wantedWindow: undefined, isAirGapped: false };
  const found = await prepareOllama({ ...question, env, home: home.path }, SIGNAL);
  const shows = server.requests.filter(({ path }) => path === "/api/show").map(({ body }) => body);
  return { found, shows };
}

const HUGE_HEADS = 2 ** 20;

test("a model whose heads differ from layer to layer is asked about them, and only such a one", async () => {
  // Were every layer as large as the largest possible one, no machine could hold a thousand tokens.
  const info = {
    "llama.block_count": 64,
    "llama.attention.head_count": HUGE_HEADS,
    "llama.attention.head_count_kv": Array(64).fill(1),
  };
  const hybrid = await prepared({ name: "hybrid:1b", size: 1000, contextLength: 16_384, info });
  expect(hybrid.shows).toEqual([{ model: "hybrid:1b" }, { model: "hybrid:1b", verbose: true }]);
  expect(hybrid.found?.window).toBe("16384 tokens (fits into memory)");
  expect((await prepared({ name: "plain:1b", size: 1000 })).shows).toEqual([{ model: "plain:1b" }]);
});

test("a window that fits for one conversation does not fit for very many beside each other", async () => {
  const model = { name: "plain:1b", size: 1000, contextLength: 16_384 };
  expect((await prepared(model)).found?.window).toBe("16384 tokens (fits into memory)");
  const many = await prepared(model, { OLLAMA_NUM_PARALLEL: "1000000" });
  expect(many.found?.window).toBe("8192 tokens (what memory allows)");
});

/** The model that is taken when none was named. */
async function taken(models: readonly InstalledModel[], inMemory?: string, version?: string) {
  await using home = await tempHome();
  await using server = startOllamaServer({ models, ...(version === undefined ? {} : { version }) });
  if (inMemory !== undefined) {
    const load = { model: inMemory, messages: [] };
    await fetch(`${server.origin}/api/chat`, { method: "POST", body: JSON.stringify(load) });
  }
  const client = { env: { OLLAMA_HOST: server.host }, originator: "test", sessionId: () => "" };
  const provider = await resolveProvider({ ...client, values: {}, id: "ollama", version: "0" });
  const question = { provider, named: undefined, wantedWindow: 16_384, isAirGapped: false, env: {} };
  return (await prepareOllama({ ...question, home: home.path }, SIGNAL))?.model.id;
}

test("without a name, a model in memory is taken, else the best known one, else the newest with tools", async () => {
  const embed = { name: "embed:1b", capabilities: ["embedding"] };
  const gemma = { name: "gemma3:4b", capabilities: ["completion", "vision"] };
  const qwen = { name: "qwen3:8b" };
  const gptOss = { name: "gpt-oss:20b" };
  const all = [embed, gemma, qwen, gptOss];
  expect(await taken(all, "qwen3:8b")).toBe("qwen3:8b");
  expect(await taken(all, "gemma3:4b")).toBe("gpt-oss:20b");
  expect(await taken(all)).toBe("gpt-oss:20b");
  expect(await taken([embed, gemma, qwen])).toBe("qwen3:8b");
  expect(await taken([embed, gemma])).toBe("gemma3:4b");
  // An older server does not tell what its models can do before each is asked.
  expect(await taken([qwen, gptOss], undefined, "0.13.4")).toBe("gpt-oss:20b");
});

test("of very many installed models an error names only some", async () => {
  const models = Array.from({ length: 300 }, (_, i) => ({
    name: `family${i}:1b`,
    capabilities: ["completion"],
  }));
  await using home = await tempHome();
  await using server = startOllamaServer({ models });
  const client = { env: { OLLAMA_HOST: server.host }, originator: "test", sessionId: () => "" };
  const provider = await resolveProvider({ ...client, values: {}, id: "ollama", version: "0" });
  const question = {
    provider,
    named: "absent",
    wantedWindow: 16_384,
    isAirGapped: false,
    env: {},
    home: home.path,
  };
  const error = await prepareOllama(question, SIGNAL).catch(toErrorInfo);
  const first = models.slice(0, 20).map(({ name }) => name);
  expect(error).toMatchObject({
    message: `the model absent is not installed in Ollama at ${server.origin}; installed: ${first.join(", ")} and 280 more`,
  });
});
