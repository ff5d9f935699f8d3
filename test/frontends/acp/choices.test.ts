import { expect, test } from "bun:test";
import { loadConfig } from "../../../src/config/load.ts";
import { choicesOf } from "../../../src/frontends/acp/choices.ts";
import { configOptions } from "../../../src/frontends/acp/config-options.ts";
import { tempHome } from "../../support/home.ts";
import { startOllamaServer } from "../../support/ollama-server/server.ts";

test("a model that another machine answers is marked where an editor offers it", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [{ name: "qwen3:8b" }, { name: "mine", remoteHost: "https://ollama.com:443" }],
  });
  const env = { ...home.env, OLLAMA_HOST: server.host };
  const config = await loadConfig({ env, cwd: home.cwd, overrides: [] });
  const question = { config, env, provider: "ollama", model: "qwen3:8b" };
  const choices = await choicesOf(question, AbortSignal.timeout(20_000));
  const options = configOptions({
    ...choices,
    model: "qwen3:8b",
    modes: { currentModeId: "auto", availableModes: [] },
    harness: "qwen-code",
    effort: undefined,
    efforts: [],
  });
  expect(options.find(({ id }) => id === "model")).toMatchObject({
    options: [
      { value: "qwen3:8b", name: "qwen3:8b" },
      { value: "mine:latest", name: "mine:latest", description: "leaves this machine" },
    ],
  });
});
