import { expect, test } from "bun:test";
import type { Endpoint } from "../../src/model/types.ts";
import { servedModels } from "../../src/providers/served-models.ts";
import { startLlamaServer } from "../support/local-servers/llama-server.ts";
import { startVllm } from "../support/local-servers/vllm.ts";
import { closedPort } from "../support/loopback.ts";

const SIGNAL = AbortSignal.timeout(20_000);

function at(baseUrl: string): Endpoint {
  return { baseUrl, headers: {}, query: {}, quirks: {}, idleTimeoutMs: 5_000, maxRetries: 0 };
}

/** A server that answers these paths, and 404 to all others. */
function serve(answers: Readonly<Record<string, unknown>>) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const answer = answers[new URL(url).pathname];
      return answer === undefined ? new Response("not found", { status: 404 }) : Response.json(answer);
    },
  });
  return { baseUrl: `${server.url.origin}/v1`, [Symbol.asyncDispose]: () => server.stop(true) };
}

test("each kind of server tells its window in its own place", async () => {
  await using llama = startLlamaServer({ model: "m", context: 16_384, slots: 4 });
  await using vllm = startVllm({ model: "q", maxModelLen: 24_000 });
  await using kobold = serve({
    "/v1/models": { data: [{ id: "koboldcpp/x" }] },
    "/api/extra/true_max_context_length": { value: 12_288 },
  });
  await using plain = serve({ "/v1/models": { data: [{ id: "p" }] } });
  const found = await Promise.all(
    [llama, vllm, kobold, plain].map(({ baseUrl }) => servedModels(at(baseUrl), SIGNAL)),
  );
  expect(found).toEqual([
    {
      kind: "llama.cpp",
      models: [{ id: "m", contextWindow: 4096 }],
      context: 4096,
      images: false,
      isLoading: false,
    },
    { kind: "vLLM", models: [{ id: "q", contextWindow: 24_000 }], isLoading: false },
    { kind: "KoboldCpp", models: [{ id: "koboldcpp/x" }], context: 12_288, isLoading: false },
    { kind: "other", models: [{ id: "p" }], isLoading: false },
  ]);
});

test("a server that loads its model is there, one that does not listen is not", async () => {
  await using loading = startLlamaServer({ context: 8192, loading: new Promise(() => {}) });
  expect(await servedModels(at(loading.baseUrl), SIGNAL)).toEqual({
    kind: "other",
    models: [],
    isLoading: true,
  });
  const baseUrl = `http://127.0.0.1:${await closedPort()}/v1`;
  expect(await servedModels(at(baseUrl), SIGNAL)).toBeUndefined();
});

test("what hangs at one question is asked no other one once the time for all of them is over", async () => {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      asked.push(pathname);
      return pathname === "/v1/models" ? Response.json({ data: [{ id: "p" }] }) : new Promise(() => {});
    },
  });
  const found = await servedModels(at(`${server.url.origin}/v1`), SIGNAL);
  await server.stop(true);
  expect(found).toEqual({ kind: "other", models: [{ id: "p" }], isLoading: false });
  expect(asked.toSorted()).toEqual(["/props", "/v1/models"]);
});
