import { expect, test } from "bun:test";
import { requireRunningServer } from "../../../src/core/local/running.ts";
import { toErrorInfo } from "../../../src/util/errors.ts";
import { startLlamaServer } from "../../support/local-servers/llama-server.ts";
import { closedPort } from "../../support/loopback.ts";

test("where neither Ollama nor LM Studio runs, another server that does is named, and how to use it", async () => {
  await using llama = startLlamaServer({ model: "m", context: 16_384 });
  const env = { CODEX_OSS_PORT: String(await closedPort()) };
  const around = { env, isAirGapped: false };
  const error = await requireRunningServer(around, AbortSignal.timeout(20_000), [llama.port]).catch(
    toErrorInfo,
  );
  expect(error).toMatchObject({
    code: "model.unreachable",
    hint: expect.stringContaining(
      `\nllama.cpp runs at ${llama.origin}: use it with -c model_provider=llamacpp\n`,
    ),
  });
});

test("where something else answers, it is said", async () => {
  await using page = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<p>hello") });
  const env = { CODEX_OSS_PORT: String(page.port) };
  const around = { env, isAirGapped: false };
  const error = await requireRunningServer(around, AbortSignal.timeout(20_000), []).catch(toErrorInfo);
  const place = `at http://127.0.0.1:${page.port} (where something else answers)`;
  expect(error).toMatchObject({
    message: `no local model server is running; looked for Ollama ${place} and LM Studio ${place}`,
  });
});
