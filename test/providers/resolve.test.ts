import { expect, test } from "bun:test";
import { type ResolveOptions, resolveProvider } from "../../src/providers/resolve.ts";
import type { Env, ProviderValues } from "../../src/providers/settings.ts";
import { toErrorInfo } from "../../src/util/errors.ts";

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
  expect({ ...provider, endpoint: undefined, model: undefined, secretVariables: undefined }).toEqual({
    id: "mock",
    label: "Mock",
    wire: "chat",
    streamMaxRetries: 100,
    defaultModel: undefined,
    secretVariables: undefined,
    endpoint: undefined,
    model: undefined,
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

test("a missing or blank key is named when it is needed, not before", async () => {
  const values = {
    model_providers: {
      mock: { base_url: "http://h/v1", env_key: "MOCK_KEY", env_key_instructions: "ask Ann" },
    },
  };
  const provider = await resolve("mock", values, { MOCK_KEY: "  " });
  expect(await failure(provider.endpoint(never))).toEqual({
    code: "auth",
    message: "Missing environment variable: `MOCK_KEY`.",
    retryable: false,
    hint: "ask Ann; or run a local model with --local-provider ollama",
  });
});

test("a missing key points at a provider whose key is there", async () => {
  const { hint } = await failure(endpoint("openai", {}, { DEEPSEEK_API_KEY: "k", GITHUB_TOKEN: "t" }));
  expect(hint).toBe(
    "set it, e.g. `export OPENAI_API_KEY=...`; or, as DEEPSEEK_API_KEY is set, run with -c model_provider=deepseek",
  );
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
      "describe it in config.toml under [model_providers.zzz] with base_url, wire_api and env_key",
    ],
    ["Model provider `deepsek` not found", "did you mean `deepseek`?"],
    ["Model provider `mymok` not found", "did you mean `mymock`?"],
    ["Model provider `ollama-chat` not found", "did you mean `ollama`?"],
    [
      "Model provider `constructor` not found",
      "describe it in config.toml under [model_providers.constructor] with base_url, wire_api and env_key",
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
    "chat",
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

test("a table for AWS is refused, as requests are not signed", async () => {
  const { message } = await failure(resolve("b", { model_providers: { b: { aws: { region: "x" } } } }));
  expect(message).toBe("model_providers.b.aws is not supported: requests can't be signed for AWS");
});
