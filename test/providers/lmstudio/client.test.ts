import { expect, test } from "bun:test";
import type { Endpoint } from "../../../src/model/types.ts";
import { lmStudioModels, loadLmStudioModel } from "../../../src/providers/lmstudio/client.ts";
import { toErrorInfo } from "../../../src/util/errors.ts";
import { startLmStudioServer } from "../../support/local-servers/lm-studio.ts";

const SIGNAL = AbortSignal.timeout(20_000);

function at(baseUrl: string): Endpoint {
  return { baseUrl, headers: {}, query: {}, quirks: {}, idleTimeoutMs: 5_000, maxRetries: 0 };
}

const MODELS = [
  { key: "qwen/qwen3-8b", maxContext: 40_960, tools: true },
  { key: "tiny", maxContext: 8192, loadedContext: 4096, tools: false },
];

test("the newer list tells what is loaded, with which window, and what it can do", async () => {
  await using server = startLmStudioServer({ models: MODELS });
  expect(await lmStudioModels(at(server.baseUrl), SIGNAL)).toEqual([
    { id: "qwen/qwen3-8b", isLoaded: false, images: false, maxContext: 40_960, tools: true },
    { id: "tiny", isLoaded: true, images: false, context: 4096, maxContext: 8192, tools: false },
  ]);
});

test("the older list serves where the newer one does not exist", async () => {
  await using server = startLmStudioServer({ models: MODELS, version: "0.3" });
  expect(await lmStudioModels(at(server.baseUrl), SIGNAL)).toEqual([
    { id: "qwen/qwen3-8b", isLoaded: false, images: false, maxContext: 40_960, tools: true },
    { id: "tiny", isLoaded: true, images: false, context: 4096, maxContext: 8192, tools: false },
  ]);
});

test("a model is loaded with the window that was asked for, where the server can do that", async () => {
  await using server = startLmStudioServer({ models: MODELS });
  await loadLmStudioModel("qwen/qwen3-8b", 32_768, at(server.baseUrl), SIGNAL);
  expect((await lmStudioModels(at(server.baseUrl), SIGNAL))?.[0]?.context).toBe(32_768);
  await using old = startLmStudioServer({ models: MODELS, version: "0.3" });
  const error = await loadLmStudioModel("tiny", 8192, at(old.baseUrl), SIGNAL).catch(toErrorInfo);
  expect(error).toMatchObject({
    message: "LM Studio did not load tiny: Unexpected endpoint or method. (POST /api/v1/models/load)",
    hint: "load it by hand with `lms load tiny --context-length 8192`, or with a smaller context",
  });
});

test("another server is not taken for LM Studio", async () => {
  await using other = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ object: "list", data: [{ id: "x" }] }),
  });
  expect(await lmStudioModels(at(`http://127.0.0.1:${other.port}/v1`), SIGNAL)).toBeUndefined();
});
