import { expect, test } from "bun:test";
import type { Endpoint } from "../../../src/model/types.ts";
import {
  installedModels,
  loadedModels,
  ollamaVersion,
  showModel,
} from "../../../src/providers/ollama/client.ts";
import { type PullProgress, pullModel } from "../../../src/providers/ollama/pull.ts";
import { toErrorInfo } from "../../../src/util/errors.ts";
import { closedPort, serveOnLoopback } from "../../support/loopback.ts";
import { startOllamaServer } from "../../support/ollama-server/server.ts";

const SIGNAL = AbortSignal.timeout(20_000);

function at(origin: string): Endpoint {
  return { baseUrl: `${origin}/v1`, headers: {}, query: {}, quirks: {}, idleTimeoutMs: 5_000, maxRetries: 0 };
}

test("installed models are listed, and those that run elsewhere are marked", async () => {
  await using server = startOllamaServer({
    models: [
      { name: "qwen3", size: 5 },
      { name: "big:480b-cloud", remoteHost: "https://ollama.com:443" },
    ],
  });
  expect(await installedModels(at(server.origin), SIGNAL)).toEqual([
    { name: "qwen3:latest", size: 5, isCloud: false, capabilities: ["completion", "tools"] },
    { name: "big:480b-cloud", size: 384, isCloud: true, capabilities: ["completion", "tools"] },
  ]);
});

test("what a model can do and how long its context may be is read from its card", async () => {
  await using server = startOllamaServer({
    models: [
      {
        name: "qwen3",
        capabilities: ["completion", "thinking"],
        contextLength: 40_960,
        parameters: { num_ctx: 16_384, stop: "<|im_end|>" },
      },
      { name: "old", capabilities: null },
    ],
  });
  expect(await showModel("qwen3", at(server.origin), SIGNAL)).toEqual({
    isCloud: false,
    capabilities: ["completion", "thinking"],
    maxContext: 40_960,
    numCtx: 16_384,
    cache: { elementsPerToken: 16_384, architecture: "llama", isRough: false },
  });
  expect((await showModel("old", at(server.origin), SIGNAL)).capabilities).toBeUndefined();
});

test("only loaded models are in memory, with the context they were loaded with", async () => {
  await using server = startOllamaServer({ models: [{ name: "qwen3" }] });
  expect(await loadedModels(at(server.origin), SIGNAL)).toEqual([]);
  const load = { model: "qwen3", messages: [], options: { num_ctx: 9000 } };
  await fetch(`${server.origin}/api/chat`, { method: "POST", body: JSON.stringify(load) });
  expect(await loadedModels(at(server.origin), SIGNAL)).toEqual([
    { name: "qwen3:latest", contextLength: 9000 },
  ]);
});

test("only what looks like Ollama is taken for it", async () => {
  await using ollama = startOllamaServer({ version: "0.24.0", models: [] });
  expect(await ollamaVersion(at(ollama.origin), SIGNAL)).toBe("0.24.0");
  await using polite = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ error: "Unexpected endpoint or method. (GET /api/version)" }),
  });
  expect(await ollamaVersion(at(`http://127.0.0.1:${polite.port}`), SIGNAL)).toBeUndefined();
  await using kobold = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      Response.json(url.includes("extra") ? { result: "KoboldCpp", version: "1.9" } : { version: "0.7.0" }),
  });
  expect(await ollamaVersion(at(`http://127.0.0.1:${kobold.port}`), SIGNAL)).toBeUndefined();
});

test("a server that is not there is said to be so, and how to start it", async () => {
  const origin = `http://127.0.0.1:${await closedPort()}`;
  const error = await ollamaVersion(at(origin), SIGNAL).catch(toErrorInfo);
  expect(error).toEqual({
    code: "model.unreachable",
    message: `Ollama does not answer at ${origin}`,
    retryable: false,
    hint: "start it with `ollama serve`, or say where it runs with OLLAMA_HOST=host:port",
  });
});

test("a refused host name is no matter of a key", async () => {
  await using server = serveOnLoopback(() => new Response(null, { status: 403 }));
  const error = await ollamaVersion(at(server.origin), SIGNAL).catch(toErrorInfo);
  expect(error).toMatchObject({
    code: "auth",
    hint: "Ollama answers only under names that it takes for its own: put its address into OLLAMA_HOST in place of a name",
  });
});

/** A server that gives these answers, whatever is sent. */
function serve(answers: Readonly<Record<string, unknown>>) {
  return serveOnLoopback(({ url }) => {
    const answer = answers[new URL(url).pathname];
    return typeof answer === "string" ? new Response(answer) : Response.json(answer ?? null);
  });
}

test("what a broken server says of its models is believed only where it can be true", async () => {
  const unwritable = { toString: 1, valueOf: 1 };
  const odd = [
    null,
    1,
    "x",
    [],
    {},
    { name: null },
    { name: "a\u001b[2J" },
    { name: "a\nb" },
    { name: "m".repeat(1e6) },
  ];
  await using server = serve({
    "/api/tags": {
      models: [...odd, { name: "good:1b", size: -5, capabilities: [null, unwritable, "tools"] }],
    },
    "/api/ps": { models: [...odd, { name: "good:1b", context_length: 1e300 }] },
    "/api/show": {
      parameters: "num_ctx 99999999999999999999",
      capabilities: [unwritable, "completion"],
      model_info: {
        "general.architecture": unwritable,
        "llama.context_length": 0.5,
        "undefined.context_length": -1,
      },
    },
  });
  const there = at(server.origin);
  expect(await installedModels(there, SIGNAL)).toEqual([
    { name: "good:1b", size: 0, isCloud: false, capabilities: ["tools"] },
  ]);
  expect(await loadedModels(there, SIGNAL)).toEqual([{ name: "good:1b" }]);
  expect(await showModel("good:1b", there, SIGNAL)).toEqual({ isCloud: false, capabilities: ["completion"] });
});

test("an empty list is a list, anything else is not", async () => {
  for (const models of [[], null]) {
    await using server = serve({ "/api/tags": { models } });
    expect(await installedModels(at(server.origin), SIGNAL)).toEqual([]);
  }
  for (const answer of [null, [], {}, { models: {} }, "<!doctype html><p>sign in"]) {
    await using server = serve({ "/api/tags": answer });
    await expect(installedModels(at(server.origin), SIGNAL)).rejects.toThrow(
      `expected a list of models from ${server.origin}/api/tags, found something else`,
    );
  }
});

test("a server that is there but breaks off is told from one that is not there", async () => {
  using server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{");
        socket.end();
      },
    },
  });
  const error = await ollamaVersion(at(`http://127.0.0.1:${server.port}`), SIGNAL).catch(toErrorInfo);
  expect(error).toMatchObject({
    code: "model.unreachable",
    message: expect.stringMatching(/^Ollama does not answer at http:\/\/127.0.0.1:\d+: \S/),
  });
});

async function pulled(name: string, origin: string) {
  const steps: PullProgress[] = [];
  try {
    for await (const step of pullModel(name, at(origin), { resumeAfterMs: 1 }, SIGNAL)) steps.push(step);
    return { steps };
  } catch (cause) {
    return { steps, error: toErrorInfo(cause) };
  }
}

test("a download is reported layer by layer until it succeeds", async () => {
  await using server = startOllamaServer({ models: [], registry: ["tiny:1b"] });
  const { steps, error } = await pulled("tiny:1b", server.origin);
  expect(error).toBeUndefined();
  expect(steps.slice(0, 3)).toEqual([
    { status: "pulling manifest" },
    { status: "pulling 000000000000", layer: `sha256:${"0".repeat(64)}`, total: 1000, completed: 0 },
    { status: "pulling 000000000000", layer: `sha256:${"0".repeat(64)}`, total: 1000, completed: 500 },
  ]);
  expect(steps.at(-1)).toEqual({ status: "success" });
});

test("without a network, a download says how to bring a model on a disk", async () => {
  await using server = startOllamaServer({ models: [], registry: "offline" });
  const { error } = await pulled("tiny:1b", server.origin);
  expect(error?.code).toBe("model.unreachable");
  expect(error?.hint).toContain("ollama create tiny:1b");
  await using other = startOllamaServer({ models: [], registry: [] });
  expect((await pulled("tiny:1b", other.origin)).error?.message).toBe(
    "Ollama's registry has no model named tiny:1b",
  );
});

test("a download whose connection breaks goes on from what the server has", async () => {
  await using server = startOllamaServer({ models: [], registry: ["tiny:1b"], tearAfter: [999, 1200] });
  const { steps, error } = await pulled("tiny:1b", server.origin);
  expect(error).toBeUndefined();
  const first = { status: "pulling 000000000000", layer: `sha256:${"0".repeat(64)}`, total: 1000 };
  const second = { status: "pulling 111111111111", layer: `sha256:${"1".repeat(64)}`, total: 300 };
  // What stands before a break may be lost with the connection.
  const last = steps.findLastIndex(({ status }) => status === "the connection broke; going on where it was");
  expect(steps.slice(last + 1)).toEqual([
    { status: "pulling manifest" },
    { ...first, completed: 1000 },
    { ...second, completed: 300 },
    { status: "verifying sha256 digest" },
    { status: "writing manifest" },
    { status: "success" },
  ]);
  expect(server.requests.filter(({ path }) => path === "/api/pull")).toHaveLength(3);
});

test("a download that breaks again and again without a byte more is given up, and can be taken up later", async () => {
  await using server = startOllamaServer({ models: [], registry: ["tiny:1b"], tearAfter: Array(6).fill(-1) });
  const { steps, error } = await pulled("tiny:1b", server.origin);
  expect(error?.code).toBe("model.stream_cut");
  expect(steps.at(-1)).not.toEqual({ status: "success" });
  expect(server.requests.filter(({ path }) => path === "/api/pull")).toHaveLength(6);
  expect((await pulled("tiny:1b", server.origin)).error).toBeUndefined();
});

const NO_DOWNLOADS = [
  ["a page", "<!doctype html><p>sign in"],
  ["a JSON document", JSON.stringify({ models: [] })],
  ["a line without end", "x".repeat(1_000_001)],
] as const;

for (const [what, body] of NO_DOWNLOADS) {
  test(`${what} is no download, and is not asked for again`, async () => {
    await using server = serve({ "/api/pull": body });
    const { steps, error } = await pulled("tiny:1b", server.origin);
    expect(steps).toEqual([]);
    expect(error).toMatchObject({
      code: "model.rejected",
      message: `expected the course of a download from ${server.origin}/api/pull, found something else`,
    });
  });
}

function asLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

test("the course of a download is shown only as far as it can be true", async () => {
  await using server = serve({
    "/api/pull": asLines([
      { status: "pulling\u001b[2J\nok  all  fine", digest: "d".repeat(1e5), total: 10, completed: 1e300 },
      { status: "pulling", digest: "e", total: 10, completed: 11 },
      { status: "pulling", digest: "f", total: -1, completed: 5 },
      { status: "p".repeat(1000) },
      { status: "success" },
    ]),
  });
  expect(await pulled("tiny:1b", server.origin)).toEqual({
    steps: [
      { status: "pulling ok all fine", layer: "d".repeat(100), total: 10, completed: 0 },
      { status: "pulling", layer: "e", total: 10, completed: 10 },
      { status: "pulling", layer: "f" },
      { status: "p".repeat(80) },
      { status: "success" },
    ],
  });
});

test("a download of parts without end, and an error of a megabyte, are cut short", async () => {
  const parts = Array.from({ length: 1001 }, (_, i) => ({
    status: "pulling",
    digest: `d${i}`,
    total: 1,
    completed: 1,
  }));
  await using endless = serve({ "/api/pull": asLines(parts) });
  expect((await pulled("tiny:1b", endless.origin)).error?.message).toBe(
    "downloading tiny:1b was given up: it has more than 1000 parts",
  );
  await using wordy = serve({ "/api/pull": asLines([{ error: "e".repeat(900_000) }]) });
  expect((await pulled("tiny:1b", wordy.origin)).error?.message).toBe(
    `downloading tiny:1b failed: ${"e".repeat(1500)}…`,
  );
});
