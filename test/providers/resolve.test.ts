import { expect, test } from "bun:test";
import { keepModels } from "../../src/providers/model-cache.ts";
import { type ResolveOptions, resolveProvider } from "../../src/providers/resolve.ts";
import type { Env, ProviderValues } from "../../src/providers/settings.ts";
import { toErrorInfo } from "../../src/util/errors.ts";
import { tempHome } from "../support/home.ts";

const never = new AbortController().signal;
const USER_AGENT = `interpreter_exec/1.2.3 (${process.platform}; ${process.arch}) interpreter`;

function resolve(id: string, values: ProviderValues = {}, env: Env = {}, more: Partial<ResolveOptions> = {}) {
  return resolveProvider({ values, id, env, originator: "interpreter_exec", version: "1.2.3", ...more });
}

async function endpoint(
  id: string,
  values: ProviderValues = {},
  env: Env = {},
  more: Partial<ResolveOptions> = {},
) {
  return (await resolve(id, values, env, more)).endpoint(never);
}

async function failure(work: Promise<unknown>) {
  return toErrorInfo(
    await work.then(
      () => new Error("it worked"),
      (cause: unknown) => cause,
    ),
  );
}

test("a configured provider sends its key, its parameters and its headers to its own address", async () => {
  const values: ProviderValues = {
    model_providers: {
      mock: {
        name: "Mock",
        base_url: "http://127.0.0.1:9/v1",
        wire_api: "chat",
        env_key: "MOCK_KEY",
        query_params: { "api-version": "1" },
        http_headers: { "X-Plain": "a" },
        env_http_headers: { "X-From-Env": "MOCK_TEAM", "X-Unset": "MOCK_NOTHING" },
        request_max_retries: 2,
        stream_max_retries: 1000,
        stream_idle_timeout_ms: 1500,
      },
    },
  };
  const provider = await resolve("mock", values, { MOCK_KEY: " k ", MOCK_TEAM: "t", MOCK_NOTHING: " " });
  const { id, label, wire, streamMaxRetries, isLocal, defaultModel } = provider;
  expect({ id, label, wire, streamMaxRetries, isLocal, defaultModel }).toEqual({
    id: "mock",
    label: "Mock",
    wire: "chat",
    streamMaxRetries: 100,
    isLocal: false,
    defaultModel: undefined,
  });
  expect(await provider.endpoint(never)).toEqual({
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: "k",
    keyVariable: "MOCK_KEY",
    headers: { "User-Agent": USER_AGENT, originator: "interpreter_exec", "X-Plain": "a", "X-From-Env": "t" },
    query: { "api-version": "1" },
    quirks: {},
    idleTimeoutMs: 1500,
    maxRetries: 2,
  });
});

test("a provider without any key setting sends none", async () => {
  const values = { model_providers: { mock: { base_url: "http://127.0.0.1:9/v1" } } };
  expect(await endpoint("mock", values, { OPENAI_API_KEY: "k" })).toEqual({
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: undefined,
    headers: { "User-Agent": USER_AGENT, originator: "interpreter_exec" },
    query: {},
    quirks: {},
    idleTimeoutMs: 300_000,
    maxRetries: 4,
  });
});

test("a missing or blank key is named when it is needed, not before, with the places for it", async () => {
  const values = {
    model_providers: {
      mock: { base_url: "http://h/v1", env_key: "MOCK_KEY", env_key_instructions: "Ask Ann:" },
    },
  };
  const provider = await resolve("mock", values, { MOCK_KEY: "  ", HOME: "/home/me" });
  expect(await failure(provider.endpoint(never))).toEqual({
    code: "auth",
    message: "Missing environment variable: `MOCK_KEY`.",
    retryable: false,
    hint: `Ask Ann:
  this shell    export MOCK_KEY=...
  for good      a line MOCK_KEY=... in /home/me/.openinterpreter/.env
  config.toml   experimental_bearer_token = "..." below [model_providers.mock]
  this machine  start Ollama or LM Studio, and add --oss`,
  });
});

test("without any key the way to other hosts, to a local model and to the demo is shown", async () => {
  const { hint } = await failure(endpoint("openai", {}, { INTERPRETER_HOME: "/srv/agent" }));
  expect(hint).toBe(`Set it, or take another way:
  this shell    export OPENAI_API_KEY=...
  for good      a line OPENAI_API_KEY=... in /srv/agent/.env
  config.toml   experimental_bearer_token = "..." below [model_providers.openai]
  another host  set its key, add -c model_provider=ID (see interpreter providers)
  this machine  start Ollama or LM Studio, and add --oss
  no model      interpreter exec --demo plays a recorded session`);
});

test("a missing key points at a provider whose key is there", async () => {
  const { hint } = await failure(endpoint("openai", {}, { DEEPSEEK_API_KEY: "k", GITHUB_TOKEN: "t" }));
  expect(hint).toContain("\n  another host  DEEPSEEK_API_KEY is set: add -c model_provider=deepseek\n");
});

test("the key that the hint puts into config.toml is the one that is sent", async () => {
  const ids = ["openai", "deepseek", "anthropic"];
  const values: ProviderValues = {
    model_providers: Object.fromEntries(ids.map((id) => [id, { experimental_bearer_token: "t" }])),
  };
  const sent = ids.map(async (id) => {
    const { apiKey, keyVariable } = await endpoint(id, values);
    return [apiKey, keyVariable];
  });
  expect(await Promise.all(sent)).toEqual(ids.map(() => ["t", undefined]));
});

test("a program that prints the key of a built-in provider stands in for its variable", async () => {
  const values = { model_providers: { groq: { auth: { command: "echo", args: [" printed "] } } } };
  const { apiKey, keyVariable } = await endpoint("groq", values, { ...process.env, GROQ_API_KEY: "other" });
  expect([apiKey, keyVariable]).toEqual(["printed", undefined]);
});

test("OpenAI takes the key of a single run before the usual one", async () => {
  const { apiKey, baseUrl } = await endpoint("openai", {}, { OPENAI_API_KEY: "usual", CODEX_API_KEY: "run" });
  expect([apiKey, baseUrl]).toEqual(["run", "https://api.openai.com/v1"]);
  expect((await endpoint("openai", {}, { OPENAI_API_KEY: "usual" })).apiKey).toBe("usual");
  expect((await failure(endpoint("openai"))).message).toBe("Missing environment variable: `OPENAI_API_KEY`.");
});

test("OpenAI can be reached through another address, which may need no key", async () => {
  const values = { openai_base_url: "http://127.0.0.1:9/v1" };
  const { apiKey, baseUrl, headers } = await endpoint("openai", values, { OPENAI_ORGANIZATION: "org" });
  expect({ apiKey, baseUrl, headers }).toEqual({
    apiKey: undefined,
    baseUrl: "http://127.0.0.1:9/v1",
    headers: {
      "User-Agent": USER_AGENT,
      originator: "interpreter_exec",
      version: "1.2.3",
      "OpenAI-Organization": "org",
    },
  });
  expect((await endpoint("openai", values, { OPENAI_API_KEY: "k" })).apiKey).toBe("k");
});

test("the user's table replaces a built-in provider of the same id", async () => {
  const values = {
    model_providers: { openai: { name: "Mine", base_url: "http://h/v1", wire_api: "chat" as const } },
  };
  const provider = await resolve("openai", values, { OPENAI_API_KEY: "k" });
  expect([provider.label, provider.wire, (await provider.endpoint(never)).apiKey]).toEqual([
    "Mine",
    "chat",
    undefined,
  ]);
});

test("a table without an address changes details of the built-in provider", async () => {
  const values = { model_providers: { deepseek: { request_max_retries: 0, name: undefined } } };
  const provider = await resolve("deepseek", values, { DEEPSEEK_API_KEY: "k" });
  const { baseUrl, apiKey, maxRetries } = await provider.endpoint(never);
  expect({ label: provider.label, wire: provider.wire, baseUrl, apiKey, maxRetries }).toEqual({
    label: "DeepSeek",
    wire: "chat",
    baseUrl: "https://api.deepseek.com",
    apiKey: "k",
    maxRetries: 0,
  });
});

test("a table without an address and without a built-in provider is refused, so that no key goes astray", async () => {
  expect(await failure(resolve("mine", { model_providers: { mine: { env_key: "MINE" } } }))).toEqual({
    code: "config",
    message: "model_providers.mine needs a base_url",
    retryable: false,
    hint: 'add the address of its API, e.g. base_url = "https://api.example.com/v1"',
  });
});

test("an unknown provider is refused with the nearest name", async () => {
  const values = { model_providers: { mymock: { base_url: "http://h/v1" } } };
  const hints = ["zzz", "deepsek", "mymok", "ollama-chat", "constructor"].map(async (id) => {
    const { message, hint } = await failure(resolve(id, values));
    return [message, hint];
  });
  expect(await Promise.all(hints)).toEqual([
    [
      "Model provider `zzz` not found",
      "describe it in config.toml under [model_providers.zzz] with base_url, wire_api and env_key; `interpreter providers` lists those that are built in",
    ],
    ["Model provider `deepsek` not found", "did you mean `deepseek`?"],
    ["Model provider `mymok` not found", "did you mean `mymock`?"],
    ["Model provider `ollama-chat` not found", "did you mean `ollama`?"],
    [
      "Model provider `constructor` not found",
      "describe it in config.toml under [model_providers.constructor] with base_url, wire_api and env_key; `interpreter providers` lists those that are built in",
    ],
  ]);
});

test("Anthropic takes its key in a header of its own", async () => {
  const { keyHeader, headers, apiKey } = await endpoint("anthropic", {}, { ANTHROPIC_API_KEY: "k" });
  expect({ keyHeader, headers, apiKey }).toEqual({
    keyHeader: "x-api-key",
    headers: { "User-Agent": USER_AGENT, "anthropic-version": "2023-06-01" },
    apiKey: "k",
  });
});

test("a program that starts us names itself in the headers", async () => {
  const { headers } = await endpoint("ollama", {}, { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "codex_sdk_ts" });
  expect(headers).toEqual({
    "User-Agent": `codex_sdk_ts/1.2.3 (${process.platform}; ${process.arch}) interpreter`,
    originator: "codex_sdk_ts",
  });
  const broken = await endpoint("ollama", {}, { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "a\nb: c" });
  expect(broken.headers).toEqual({ "User-Agent": USER_AGENT, originator: "interpreter_exec" });
});

test("the session's id travels on the responses wire only", async () => {
  const values = { model_providers: { mock: { base_url: "http://h/v1" } } };
  const names = ["session-id", "thread-id", "x-client-request-id"];
  const sent = async (more: Partial<ResolveOptions>) => {
    const { headers } = await endpoint("mock", values, {}, { sessionId: () => "s1", ...more });
    return names.map((name) => headers[name]);
  };
  expect(await sent({})).toEqual(["s1", "s1", "s1"]);
  expect(await sent({ chatCompletions: true })).toEqual([undefined, undefined, undefined]);
});

test("a header that the user sets replaces ours, whatever its case", async () => {
  const values = {
    model_providers: { mock: { base_url: "http://h/v1", http_headers: { "user-agent": "me" } } },
  };
  expect((await endpoint("mock", values)).headers).toEqual({
    "user-agent": "me",
    originator: "interpreter_exec",
  });
});

test("the chat wire can be asked for", async () => {
  const wires = [await resolve("openai"), await resolve("openai", {}, {}, { chatCompletions: true })];
  expect(wires.map(({ wire }) => wire)).toEqual(["responses", "chat"]);
});

test("a local provider needs no key and names a model of its own", async () => {
  const provider = await resolve("ollama", {}, { OLLAMA_HOST: "127.0.0.1:9" });
  const { baseUrl, apiKey } = await provider.endpoint(never);
  expect([provider.defaultModel, provider.wire, baseUrl, apiKey]).toEqual([
    "gpt-oss:20b",
    "ollama",
    "http://127.0.0.1:9/v1",
    undefined,
  ]);
  expect(provider.model("unheard-of").contextWindow).toBe(32_768);
});

test("keys of every provider are kept from commands, other variables are not", async () => {
  const values: ProviderValues = {
    model_providers: {
      a: { base_url: "http://a", env_key: "A_KEY", env_http_headers: { "X-Team": "A_TEAM" } },
      b: { base_url: "http://b", env_key: "B_KEY" },
    },
  };
  const env = {
    A_KEY: "1",
    A_TEAM: "2",
    B_KEY: "3",
    GROQ_API_KEY: "4",
    MISTRAL: "5",
    GITHUB_TOKEN: "6",
    OPENAI_API_KEY: "",
  };
  expect((await resolve("a", values, env)).secretVariables).toEqual([
    "A_KEY",
    "A_TEAM",
    "B_KEY",
    "GROQ_API_KEY",
  ]);
  expect((await resolve("github-models", {}, env)).secretVariables).toEqual(["GITHUB_TOKEN", "GROQ_API_KEY"]);
  expect((await resolve("demo", {}, env)).secretVariables).toEqual(["GROQ_API_KEY"]);
});

test("the user's numbers reach what is known of a model", async () => {
  const provider = await resolve("openai", { model_context_window: 5000, tool_output_token_limit: 7 });
  const { contextWindow, truncation } = provider.model("gpt-5.5");
  expect({ contextWindow, truncation }).toEqual({
    contextWindow: 5000,
    truncation: { unit: "tokens", limit: 7 },
  });
});

test("Azure takes a key in a header of its own, and a program's token in the usual one", async () => {
  const base_url = "https://mine.openai.azure.com/openai/v1";
  const values: ProviderValues = {
    model_providers: {
      azure: { base_url, env_key: "AZURE_KEY", query_params: { "api-version": "preview" } },
      entra: { base_url, auth: { command: "echo", args: ["token"] } },
      other: { base_url: "https://azure.com.example/v1", env_key: "AZURE_KEY" },
    },
  };
  const headers = ["azure", "entra", "other"].map(async (id) => {
    return (await endpoint(id, values, { ...process.env, AZURE_KEY: "k" })).keyHeader;
  });
  expect(await Promise.all(headers)).toEqual(["api-key", undefined, undefined]);
});

test("headers of the user stand beside those that a built-in provider needs", async () => {
  const values = { model_providers: { openai: { http_headers: { "X-Team": "a" } } } };
  const { headers } = await endpoint("openai", values, { OPENAI_API_KEY: "k" });
  expect([headers["version"], headers["X-Team"]]).toEqual(["1.2.3", "a"]);
});

test("Ollama's habits go with it to any port, and hosts of the catalog have theirs", async () => {
  const ollama = {
    reasoningField: "reasoning",
    reasoningParam: "reasoning_effort",
    maxTokensField: "max_tokens",
  } as const;
  expect((await endpoint("ollama", {}, { OLLAMA_HOST: "box:80" })).quirks).toEqual(ollama);
  expect((await endpoint("xiaomi", {}, { XIAOMI_API_KEY: "k" })).quirks).toEqual({
    reasoningParam: "thinking",
  });
});

test("a proxy of the environment is the way to hosts, and not to this machine", async () => {
  const env = {
    HTTPS_PROXY: "http://proxy.example:3128",
    HTTP_PROXY: "http://plain.example",
    GROQ_API_KEY: "k",
  };
  const ways = [await endpoint("groq", {}, env), await endpoint("ollama", {}, env)];
  expect(ways.map(({ proxy }) => proxy)).toEqual(["http://proxy.example:3128", undefined]);
});

test("a certificate file is read for secure addresses only", async () => {
  const env = { SSL_CERT_FILE: "/does/not/exist.pem", GROQ_API_KEY: "k" };
  expect((await endpoint("ollama", {}, env)).certificates).toBeUndefined();
  expect((await failure(endpoint("groq", {}, env))).message).toBe(
    "SSL_CERT_FILE names /does/not/exist.pem, which can't be read",
  );
});

test("what the server's list said of a model is used when the program's folder is known", async () => {
  await using home = await tempHome();
  const host = { id: "openrouter", baseUrl: "https://openrouter.ai/api/v1" };
  const models = [{ id: "new/model-1", contextWindow: 65_536, images: false }];
  await keepModels(home.path, host, { fetchedAt: "2026-01-01T00:00:00.000Z", models });
  const windows = async (more: Partial<ResolveOptions>) => {
    const { contextWindow, known } = (await resolve("openrouter", {}, {}, more)).model("New/Model-1");
    return [contextWindow, known];
  };
  expect([await windows({ home: home.path }), await windows({})]).toEqual([
    [65_536, true],
    [272_000, false],
  ]);
});

test("a table for AWS is refused, as requests are not signed", async () => {
  const { message } = await failure(resolve("b", { model_providers: { b: { aws: { region: "x" } } } }));
  expect(message).toBe("model_providers.b.aws is not supported: requests can't be signed for AWS");
});

test("Bedrock is refused with the way to use it", async () => {
  const { message, hint } = await failure(resolve("amazon-bedrock"));
  expect([message, hint]).toEqual([
    "Model provider `amazon-bedrock` not found",
    "use an API key of Bedrock, or a gateway that takes a key: a provider with base_url and env_key in config.toml",
  ]);
});

test("a name and a password in an address travel in a header, so that the address can be shown", async () => {
  const table = { name: "Gate", base_url: "https://me:p%40ss@gate.example/v1", wire_api: "chat" } as const;
  const values: ProviderValues = { model_providers: { gate: table } };
  const authorization = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
  expect((await resolve("gate", values)).baseUrl).toBe("https://gate.example/v1");
  expect(await endpoint("gate", values)).toMatchObject({
    baseUrl: "https://gate.example/v1",
    headers: { authorization },
  });
  const withKey = { model_providers: { gate: { ...table, env_key: "GATE_KEY" } } };
  const keyed = await endpoint("gate", withKey, { GATE_KEY: "key" });
  expect([keyed.apiKey, "authorization" in keyed.headers]).toEqual(["key", false]);
});
