import { expect, test } from "bun:test";
import { graphicsMemoryIn, macMemoryIn } from "../../src/providers/local-memory.ts";
import { findLocalServers, identifyServer } from "../../src/providers/local-probe.ts";
import { startLlamaServer } from "../support/local-servers/llama-server.ts";
import { startLmStudioServer } from "../support/local-servers/lm-studio.ts";
import { startVllm } from "../support/local-servers/vllm.ts";
import { serveOnLoopback } from "../support/loopback.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";

const SIGNAL = AbortSignal.timeout(20_000);

/** A server that answers these paths, and 404 to all others. */
function serve(answers: Readonly<Record<string, unknown>>) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const answer = answers[new URL(url).pathname];
      return answer === undefined ? new Response("not found", { status: 404 }) : Response.json(answer);
    },
  });
}

test("each kind of server is known by the shape of its answers", async () => {
  await using ollama = startOllamaServer({ models: [{ name: "qwen3" }], version: "0.32.15" });
  await using studio = startLmStudioServer({ models: [{ key: "a/b", maxContext: 4096, tools: true }] });
  await using llama = startLlamaServer({ model: "m.gguf", context: 16_384, slots: 2 });
  await using vllm = startVllm({ model: "q", maxModelLen: 32_768 });
  await using kobold = serve({
    "/api/version": { version: "0.7.0" },
    "/api/tags": { models: [{ name: "koboldcpp/x" }] },
    "/api/extra/version": { result: "KoboldCpp", version: "1.99" },
    "/api/extra/true_max_context_length": { value: 12_288 },
    "/v1/models": { data: [{ id: "koboldcpp/x" }] },
  });
  await using webui = serve({
    "/v1/models": { data: [{ id: "w" }] },
    "/v1/internal/model/info": { model_name: "w" },
  });
  await using localAi = serve({ "/v1/models": { data: [{ id: "l" }] }, "/system": { backends: [] } });
  await using plain = serve({ "/v1/models": { data: [{ id: "p" }] } });
  await using locked = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ error: "no key" }, { status: 401 }),
  });
  const at = ({ port }: { port?: number }) => `http://127.0.0.1:${port}`;
  const found = await Promise.all(
    [
      ollama.origin,
      studio.baseUrl.replace("/v1", ""),
      llama.origin,
      vllm.origin,
      at(kobold),
      at(webui),
      at(localAi),
      at(plain),
      at(locked),
    ].map(async (origin) => {
      const { origin: _, ...facts } = (await identifyServer(origin, SIGNAL)) ?? { origin };
      return facts;
    }),
  );
  expect(found).toEqual([
    { kind: "Ollama", version: "0.32.15", models: ["qwen3:latest"] },
    { kind: "LM Studio", models: ["a/b"] },
    { kind: "llama.cpp", models: ["m.gguf"], context: 8192 },
    { kind: "vLLM", models: ["q"], context: 32_768 },
    { kind: "KoboldCpp", version: "1.99", models: ["koboldcpp/x"], context: 12_288 },
    { kind: "text-generation-webui", models: ["w"] },
    { kind: "LocalAI", models: ["l"] },
    { kind: "other", models: ["p"] },
    { kind: "other", models: [], needsKey: true },
  ]);
});

test("a port where nobody listens, or something else does, is left out", async () => {
  await using page = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<html>") });
  const gone = serve({});
  const ports = [page.port ?? 0, gone.port ?? 0];
  await gone.stop(true);
  expect(await findLocalServers(SIGNAL, ports)).toEqual([]);
});

test("the memory of several graphics cards is added up", () => {
  expect(graphicsMemoryIn("8000\n2000\n")).toBe(10_000 * 2 ** 20);
  expect(graphicsMemoryIn("[N/A]\n")).toBeUndefined();
});

test("on a Mac, memory that is given back on demand counts as free", () => {
  const text = `Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               10000.
Pages active:                            400000.
Pages inactive:                          300000.
Pages speculative:                         5000.
Pages throttled:                              0.
Pages wired down:                        150000.
Pages purgeable:                           2000.
`;
  expect(macMemoryIn(text)).toBe(317_000 * 16_384);
  expect(macMemoryIn("vm_stat: not here")).toBeUndefined();
});

test("a server that answers first and hangs then is not asked everything that could be asked", async () => {
  const paths: string[] = [];
  await using server = serveOnLoopback(({ url }) => {
    const { pathname } = new URL(url);
    paths.push(pathname);
    return pathname === "/api/version" ? Response.json({}) : new Promise<Response>(() => {});
  });
  expect(await identifyServer(server.origin, SIGNAL, 50)).toBeUndefined();
  expect(["/api/version", "/api/extra/version"].slice(0, paths.length)).toEqual(paths);
});
