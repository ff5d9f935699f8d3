import { expect, test } from "bun:test";
import { requireRunningServer } from "../../../src/core/local/running.ts";
import { toErrorInfo } from "../../../src/util/errors.ts";
import { startLlamaServer } from "../../support/local-servers/llama-server.ts";
import { closedPort } from "../../support/loopback.ts";

test("where neither Ollama nor LM Studio runs, another server that does is named, and how to use it", async () => {
  await using llama = startLlamaServer({ model: "m", context: 16_384 });
  const env = { CODEX_OSS_PORT: String(await closedPort()) };
  const ports = [llama.port];
  const error = await requireRunningServer(env, AbortSignal.timeout(20_000), ports).catch(toErrorInfo);
  expect(error).toMatchObject({
    code: "model.unreachable",
    hint: expect.stringContaining(
      `\nllama.cpp runs at ${llama.origin}: use it with -c model_provider=llamacpp\n`,
    ),
  });
});
