import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../../../src/config/load.ts";
import { onboard } from "../../../../src/frontends/tui/onboarding/onboard.ts";
import { startLlamaServer } from "../../../support/local-servers/llama-server.ts";
import { FakeAsker } from "./fake-asker.ts";

type Routes = Record<string, (request: Request) => Response | Promise<Response>>;

function serve(routes: Routes) {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname}`);
      return routes[pathname]?.(request) ?? new Response("not found", { status: 404 });
    },
  });
  return { asked, host: `127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

const SHOWN = {
  "tiny:1b": { context: 32_768, capabilities: ["completion", "tools"] },
  "gemma3:4b": { context: 131_072, capabilities: ["completion", "vision"] },
  "embed:1b": { context: 2_048, capabilities: ["embedding"] },
  "short:1b": { context: 4_096, capabilities: ["completion", "tools"] },
} as const;

function ollama(installed: readonly (keyof typeof SHOWN)[], more: Routes = {}) {
  const names: string[] = [...installed];
  return serve({
    "/api/version": () => Response.json({ version: "0.33.0" }),
    "/api/tags": () =>
      Response.json({ models: names.map((name) => ({ name, model: name, size: 1_234_567_890 })) }),
    "/api/ps": () => Response.json({ models: [{ name: "gemma3:4b", context_length: 32_768 }] }),
    "/api/show": async (request) => {
      const body = await request.text();
      const known = Object.entries(SHOWN).find(([name]) => body.includes(`"${name}"`))?.[1];
      const { context, capabilities } = known ?? SHOWN["tiny:1b"];
      return Response.json({
        capabilities,
        parameters: "num_ctx 32768",
        model_info: { "general.architecture": "llama", "llama.context_length": context },
      });
    },
    "/api/pull": () => {
      names.push("new:1b");
      const lines = [
        { status: "pulling manifest" },
        { status: "pulling abc", digest: "sha256:abc", total: 1000, completed: 400 },
        { status: "pulling abc", digest: "sha256:abc", total: 1000, completed: 1000 },
        { status: "success" },
      ];
      return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    },
    ...more,
  });
}

async function tempHome() {
  const home = await mkdtemp(join(tmpdir(), "onboard-"));
  return { home, [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) };
}

/** Runs the questions; port 1 has no server. */
async function run(
  asker: FakeAsker,
  home: string,
  host = "127.0.0.1:1",
  more: Record<string, string> = {},
  ports: number[] = [],
) {
  const env = { HOME: home, INTERPRETER_HOME: home, OLLAMA_HOST: host, ...more };
  const systemFile = join(home, "none.toml");
  const config = await loadConfig({ env, cwd: home, overrides: [], systemFile });
  const result = await onboard(asker, { config, env, signal: new AbortController().signal, ports });
  const text = await readFile(join(home, "config.toml"), "utf8").catch(() => undefined);
  return { result, text };
}

test("with one server that has models, the first question is which model", async () => {
  await using server = ollama(["tiny:1b", "gemma3:4b", "embed:1b"]);
  await using temp = await tempHome();
  const asker = new FakeAsker("tiny:1b");
  const { result, text } = await run(asker, temp.home, server.host);
  expect(asker.seen).toEqual([
    `No model is set up yet. Found on this machine: Ollama, ${server.host}, 3 models`,
    "? Model",
    "> gemma3:4b  1.2 GB  128k  no tools, writes its commands as text, images, loaded",
    "  tiny:1b    1.2 GB   32k  tools",
    "  pull another…",
    "  another server or provider…",
    `Written to ${join(temp.home, "config.toml")}:`,
    '  model_provider = "ollama"',
    '  model = "tiny:1b"',
  ]);
  expect([result, text]).toEqual([{ env: {} }, 'model_provider = "ollama"\nmodel = "tiny:1b"\n']);
});

test("where nothing runs, each way is offered, and how to start a server is told", async () => {
  await using temp = await tempHome();
  const asker = new FakeAsker("Ollama", "Look again", undefined);
  const { result, text } = await run(asker, temp.home);
  expect([result, text]).toEqual([undefined, undefined]);
  expect(asker.seen.slice(0, 7)).toEqual([
    "? No model is set up yet. No model server runs on this machine.",
    "> Ollama     127.0.0.1:1       not running",
    "  LM Studio  127.0.0.1:1234    not running",
    "  Other server (base URL)",
    "  Cloud provider with an API key",
    "  Look again",
    "Start Ollama with `ollama serve`, or its app; OLLAMA_HOST=host:port names one that runs elsewhere. Then look again.",
  ]);
});

test("a key in the environment is found, and its provider offered without being asked for anything", async () => {
  await using temp = await tempHome();
  const asker = new FakeAsker(undefined);
  await run(asker, temp.home, "127.0.0.1:1", { DEEPSEEK_API_KEY: "sk-secret" });
  expect(asker.seen.slice(0, 5)).toEqual([
    "? No model is set up yet. Found on this machine:",
    "  Ollama     127.0.0.1:1       not running",
    "  LM Studio  127.0.0.1:1234    not running",
    "> DeepSeek   DEEPSEEK_API_KEY is set",
    "  Other server (base URL)",
  ]);
});

test("looking for servers asks nothing but them", async () => {
  await using server = ollama(["tiny:1b"]);
  await using temp = await tempHome();
  await run(new FakeAsker(undefined, undefined), temp.home, server.host);
  const paths = new Set(server.asked.map((line) => line.split(" ")[1]));
  expect([...paths].sort()).toEqual([
    "/api/extra/version",
    "/api/ps",
    "/api/show",
    "/api/tags",
    "/api/version",
  ]);
});

test("a context that is too small is said, and a larger one offered", async () => {
  await using server = ollama(["tiny:1b"]);
  await using temp = await tempHome();
  await writeFile(join(temp.home, "config.toml"), "model_context_window = 8192\n");
  const asker = new FakeAsker("tiny:1b", "16384");
  const { text } = await run(asker, temp.home, server.host);
  expect(asker.seen).toContain("? tiny:1b would have a context of only 8192 tokens (model_context_window)");
  expect(text).toContain("model_context_window = 16384\n");
});

test("a model that was made for a small context is not offered a larger one", async () => {
  await using server = ollama(["short:1b"]);
  await using temp = await tempHome();
  const asker = new FakeAsker("short:1b");
  const { text } = await run(asker, temp.home, server.host);
  expect(text).toBe('model_provider = "ollama"\nmodel = "short:1b"\n');
  expect(asker.seen).toContain("a context of 4096 tokens is small: long tasks will be summarised often");
});

test("a model that is not there is downloaded with its course shown, and then used", async () => {
  await using server = ollama(["tiny:1b"]);
  await using temp = await tempHome();
  const asker = new FakeAsker("pull another", "new:1b");
  const { text } = await run(asker, temp.home, server.host);
  expect(text).toBe('model_provider = "ollama"\nmodel = "new:1b"\n');
  expect(asker.seen.filter((line) => line.startsWith("..."))).toEqual([
    "... pull new:1b",
    "... pulling manifest",
    "... 400 B of 1.0 kB",
    "... 1.0 kB of 1.0 kB",
    "... 1.0 kB of 1.0 kB",
  ]);
});

test("a download without a network is one sentence, and the list comes again", async () => {
  const offline = () => new Response(`${JSON.stringify({ error: "dial tcp: no such host" })}\n`);
  await using server = ollama(["tiny:1b"], { "/api/pull": offline });
  await using temp = await tempHome();
  const asker = new FakeAsker("pull another", "new:1b", "tiny:1b");
  const { text } = await run(asker, temp.home, server.host);
  expect(text).toBe('model_provider = "ollama"\nmodel = "tiny:1b"\n');
  expect(asker.seen).toContain(
    "Ollama could not reach its registry to download new:1b: dial tcp: no such host",
  );
});

const list = (ids: readonly string[]) => () =>
  Response.json({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });

test("a server that runs on a usual port need not be typed", async () => {
  await using server = startLlamaServer({ model: "m.gguf", context: 16_384 });
  await using temp = await tempHome();
  const host = server.origin.replace("http://", "");
  const asker = new FakeAsker("Other server", "llama.cpp", "", "m.gguf");
  const { text } = await run(asker, temp.home, undefined, {}, [Number(new URL(server.origin).port)]);
  expect(asker.seen).toContain(`> llama.cpp  ${host}  1 model, context 16384`);
  expect(Bun.TOML.parse(text ?? "")).toEqual({
    model_provider: "llamacpp",
    model: "m.gguf",
    model_providers: { llamacpp: { name: host, base_url: server.baseUrl, wire_api: "chat" } },
  });
});

test("another server is asked for its models, and gets a table of its own", async () => {
  await using server = serve({ "/v1/models": list(["alpha", "beta"]) });
  await using temp = await tempHome();
  const asker = new FakeAsker("Other server", `http://${server.host}/v1/`, "", "beta");
  const { result, text } = await run(asker, temp.home);
  expect(result).toEqual({ env: {} });
  expect(Bun.TOML.parse(text ?? "")).toEqual({
    model_provider: "custom",
    model: "beta",
    model_providers: {
      custom: { name: server.host, base_url: `http://${server.host}/v1`, wire_api: "chat" },
    },
  });
});

test("a key that is refused is asked for again; it is kept in a private file and never shown", async () => {
  const guarded = (request: Request) =>
    request.headers.get("authorization") === "Bearer sk-right#1"
      ? list(["alpha"])()
      : Response.json({ error: { message: "bad key" } }, { status: 401 });
  await using server = serve({ "/v1/models": guarded });
  await using temp = await tempHome();
  const asker = new FakeAsker("Other", `http://${server.host}/v1`, "sk-wrong", "sk-right#1", "alpha");
  const { result, text } = await run(asker, temp.home);
  expect(result).toEqual({ env: { CUSTOM_API_KEY: "sk-right#1" } });
  const file = join(temp.home, ".env");
  expect(await readFile(file, "utf8")).toBe('CUSTOM_API_KEY="sk-right#1"\n');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(`${text}${asker.seen.join("\n")}`).not.toContain("sk-right");
});

test("a cloud provider is chosen from the list; without a way to its models, the name is typed", async () => {
  await using temp = await tempHome();
  const dead = { HTTPS_PROXY: "http://127.0.0.1:1" };
  const asker = new FakeAsker("Cloud", "DeepSeek", "sk-test", "deepseek-chat");
  const { result, text } = await run(asker, temp.home, undefined, dead);
  expect([result, text]).toEqual([
    { env: { DEEPSEEK_API_KEY: "sk-test" } },
    'model_provider = "deepseek"\nmodel = "deepseek-chat"\n',
  ]);
});
