import { describe, expect, test } from "bun:test";
import { connectionError } from "../../src/model/connection-error.ts";
import { httpError } from "../../src/model/http-error.ts";
import { streamError } from "../../src/model/stream-error.ts";
import type { ErrorCode } from "../../src/util/errors.ts";

const URL = "http://127.0.0.1:9/v1/chat/completions";

function http(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const names: Record<number, string> = {
    401: "Unauthorized",
    429: "Too Many Requests",
    503: "Service Unavailable",
  };
  return httpError({
    status,
    statusText: names[status] ?? "",
    headers: new Headers(headers),
    body: text,
    url: URL,
    apiKey: "sk-secret",
    keyVariable: "FAKE_KEY",
  });
}

function facts(error: ReturnType<typeof http>) {
  const { code, message, retryable, retryAfterMs } = error;
  return { code, message, retryable, retryAfterMs };
}

describe("context overflow", () => {
  const bodies = {
    OpenAI: {
      error: {
        message: "This model's maximum context length is 4096 tokens.",
        code: "context_length_exceeded",
      },
    },
    vLLM: {
      object: "error",
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 0 output tokens and your prompt contains at least 32769 input tokens.",
      type: "BadRequestError",
      code: 400,
    },
    "newer vLLM": {
      error: {
        message:
          "You passed 9 input tokens and requested 1 output tokens. However, the model's context length is only 8 tokens",
      },
    },
    "llama.cpp": {
      error: {
        code: 400,
        message:
          "request (60179 tokens) exceeds the available context size (60160 tokens), try increasing it",
        type: "exceed_context_size_error",
      },
    },
    "Ollama with an error inside an error": {
      error:
        '{"error":{"code":400,"message":"request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error"}}',
    },
    "LM Studio": {
      error:
        "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).",
    },
    Anthropic: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
    Kimi: {
      error: {
        message: "Invalid request: Your request exceeded model token limit: 262144",
        type: "invalid_request_error",
      },
    },
    Gemini: [
      {
        error: {
          code: 400,
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        },
      },
    ],
  };
  for (const [vendor, body] of Object.entries(bodies)) {
    test(`is recognised in the words of ${vendor}`, () => {
      const { code, retryable } = http(400, body);
      expect({ code, retryable }).toEqual({ code: "model.context_window", retryable: false });
    });
  }

  test.each([
    ["Ollama", "prompt too long; exceeded max context length by 120 tokens"],
    ["GitHub Copilot", "prompt token count of 128974 exceeds the limit of 128000"],
    [
      "GitHub Models",
      "Request body too large for gpt-4o model. Max size: 8000 tokens. (tokens_limit_reached)",
    ],
    ["MiniMax", "invalid params, context window exceeds limit (2013)"],
    ["SGLang", "The input (8100 tokens) is longer than the model's context length (4096 tokens)."],
    ["an older vLLM", "The decoder prompt (length 40000) is longer than the maximum model length of 32768."],
    ["a vLLM without room", "max_tokens must be at least 1, got -1234."],
    ["TGI", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000"],
    ["an older TGI", "Input validation error: `inputs` must have less than 4095 tokens. Given: 4320"],
    ["Poolside", "Input length 131393 exceeds the maximum allowed input length of 131040 tokens."],
    ["SiliconFlow", "length of prompt_tokens (40000) must be less than max_seq_len (32768)."],
    ["TensorRT-LLM", "Prompt length (5000) exceeds maximum input length (4096)."],
    ["Volcengine", "Total tokens of image and text exceed max message tokens."],
    ["Z.ai", "Prompt exceeds max length"],
    ["LiteLLM", "litellm.ContextWindowExceededError: OpenAIException"],
    ["Bedrock", "Number of input tokens exceeds maximum length."],
    ["Databricks", "Input token count 300000 exceeds the maximum input token limit 262144"],
    ["TabbyAPI", "Prompt length 9000 is greater than max_seq_len 8192"],
    ["OpenClaw", "Context overflow: prompt too large for the model."],
  ])("is recognised in the message of %s", (_vendor, message) => {
    expect(http(400, { error: { message } }).code).toBe("model.context_window");
  });

  test("is what a request is that is too large to be taken at all, or for a minute's limit", () => {
    expect(http(413, "<html>Request Entity Too Large</html>").code).toBe("model.context_window");
    const message =
      "Request too large for m on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.";
    expect(http(429, { error: { message } }).code).toBe("model.context_window");
  });

  test("is not what a throttled account hears", () => {
    const message = "Too many tokens, please wait before trying again.";
    expect(streamError({ error: { type: "rate_limit_error", message } }).code).toBe("model.rate_limited");
  });

  test.each([
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
    "array too long. Expected an array with maximum length 128, but got an array with length 140 instead.",
    "image exceeds 5 MB maximum",
  ])("is not seen in %s", (message) => {
    expect(http(400, { error: { message } }).code).toBe("model.rejected");
  });

  test("inside a stream is recognised, too", () => {
    const message = "Input does not fit in context length. The input has 31430 tokens";
    expect(streamError({ error: { message }, message }).code).toBe("model.context_window");
  });

  test("is not seen in an ordinary refusal", () => {
    expect(http(400, { error: { message: "temperature must be below 2" } }).code).toBe("model.rejected");
  });
});

test("a call that the server could not read out of its model's answer is asked for again", () => {
  const error = http(400, { error: { message: "Failed to call a function.", code: "tool_use_failed" } });
  expect(error.retryable).toBe(true);
});

describe("rate limits", () => {
  test.each([
    ["Please try again in 1m2.5s.", 62_500],
    ["Please retry in 1.9s.", 1_900],
    ["try again in 740ms. Visit us", 740],
    ["Retry after 3 seconds", 3_000],
  ])("wait as long as is said in %s", (message, retryAfterMs) => {
    expect(http(429, { error: { message } }).retryAfterMs).toBe(retryAfterMs);
  });

  test("wait for the moment that a gateway names in its answer or its headers", () => {
    const reset = String(Date.now() + 4_000);
    const said = { error: { message: "slow", metadata: { headers: { "X-RateLimit-Reset": reset } } } };
    const waits = [http(429, said), http(429, "slow", { "x-ratelimit-reset": reset })];
    for (const { retryAfterMs } of waits) {
      expect(retryAfterMs).toBeGreaterThan(0);
      expect(retryAfterMs).toBeLessThanOrEqual(4_000);
    }
  });

  test("that last for hours are final", () => {
    const message = "Usage limit reached for 5 hour. Your limit will reset at 2099-01-01 12:00:00";
    expect(http(429, { error: { code: "1308", message } }).retryable).toBe(false);
  });

  test("without a hint are retried after the usual wait", () => {
    expect(facts(http(429, { error: { message: "slow down" } }))).toEqual({
      code: "model.rate_limited",
      message: `unexpected status 429 Too Many Requests: slow down, url: ${URL}`,
      retryable: true,
      retryAfterMs: undefined,
    });
  });

  test("tell the wait in seconds, milliseconds or words", () => {
    const waits = [
      http(429, {}, { "retry-after": "2" }),
      http(429, {}, { "retry-after-ms": "1500", "retry-after": "2" }),
      http(429, { error: { message: "Please try again in 1.5s." } }),
      http(429, [{ error: { message: "Please retry in 33.6s.", status: "RESOURCE_EXHAUSTED" } }]),
    ].map((error) => error.retryAfterMs);
    expect(waits).toEqual([2_000, 1_500, 1_500, 33_600]);
  });

  test("tell the wait as a date", () => {
    const past = http(429, {}, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" });
    const far = http(429, {}, { "retry-after": "Wed, 21 Oct 2099 07:28:00 GMT" });
    expect([past.retryAfterMs, past.retryable, far.retryable]).toEqual([0, true, false]);
  });

  test("that last for hours, or a used-up quota, are final", () => {
    const errors = [
      http(429, {}, { "retry-after": "18000" }),
      http(429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }),
      http(429, { error: { message: "limit", type: "usage_limit_reached" } }),
    ];
    expect(errors.map((error) => error.retryable)).toEqual([false, false, false]);
  });
});

test("a refused key is final and names the variable, never the key", () => {
  const error = http(401, { error: { message: "Incorrect API key provided: sk-secret" } });
  expect(facts(error)).toEqual({
    code: "auth",
    message: `unexpected status 401 Unauthorized: Incorrect API key provided: [key], url: ${URL}`,
    retryable: false,
    retryAfterMs: undefined,
  });
  expect(error.hint).toContain("FAKE_KEY");
});

test("a key that is a word, as for a local server, does not tear the message", () => {
  const failure = {
    status: 503,
    statusText: "Unavailable",
    headers: new Headers(),
    url: URL,
    keyVariable: "K",
  };
  const error = httpError({ ...failure, body: '{"error":"ollama has stopped"}', apiKey: "ollama" });
  expect(error.message).toBe(`unexpected status 503 Unavailable: ollama has stopped, url: ${URL}`);
  const said = httpError({
    ...failure,
    status: 401,
    body: "Incorrect API key provided: dummy.",
    apiKey: "dummy",
  });
  expect(said.message).toContain("Incorrect API key provided: [key].");
});

test("a short 400 body is shown as it is", () => {
  const body = '{"error":{"message":"bad thing happened","type":"invalid_request_error"}}';
  expect(facts(http(400, body))).toEqual({
    code: "model.rejected",
    message: body,
    retryable: false,
    retryAfterMs: undefined,
  });
});

test("a gateway's page is never printed", () => {
  const error = http(503, "<html><h1>Unavailable</h1></html>", {
    "retry-after": "1",
    "content-type": "text/html",
  });
  expect(facts(error)).toEqual({
    code: "model.overloaded",
    message: `HTTP 503 with an HTML page, url: ${URL}`,
    retryable: true,
    retryAfterMs: 1_000,
  });
});

test("terminal control characters of a server are removed", () => {
  expect(http(400, "bad \u001b[2Jthing").message).toBe("bad  [2Jthing");
});

test("a gateway's message carries the provider's own words", () => {
  const body = {
    error: {
      message: "Provider returned error",
      code: 404,
      metadata: { raw: '{"message":"no such model"}' },
    },
  };
  expect(http(404, body).message).toContain("Provider returned error: no such model");
});

describe("an error inside a stream", () => {
  const cases: [string, unknown, ErrorCode, boolean][] = [
    [
      "of the server may pass",
      { error: { message: "model runner has unexpectedly stopped", type: "server_error" } },
      "model.stream_cut",
      true,
    ],
    [
      "about overload may pass",
      { error: { type: "overloaded_error", message: "Overloaded" } },
      "model.overloaded",
      true,
    ],
    [
      "about the rate may pass",
      { code: "rate_limit_exceeded", message: "Try again in 3s" },
      "model.rate_limited",
      true,
    ],
    [
      "about the quota is final",
      { code: "insufficient_quota", message: "no quota" },
      "model.rejected",
      false,
    ],
    [
      "about the request is final",
      { error: { type: "invalid_request_error", message: "no" } },
      "model.rejected",
      false,
    ],
    ["about the key is final", { error: { type: "authentication_error", message: "no" } }, "auth", false],
    [
      "about an unknown path is final",
      { error: "Unexpected endpoint or method. (POST /chat/completions)" },
      "model.rejected",
      false,
    ],
  ];
  for (const [name, value, code, retryable] of cases) {
    test(name, () => {
      const error = streamError(value);
      expect({ code: error.code, retryable: error.retryable }).toEqual({ code, retryable });
    });
  }

  test("keeps the server's words", () => {
    const { message } = streamError({ error: { message: "model runner has unexpectedly stopped" } });
    expect(message).toBe("stream disconnected before completion: model runner has unexpectedly stopped");
  });
});

test("nobody listening on this machine is final and says what to start", () => {
  const refused = new Error("Connection error.", { cause: new Error("ECONNREFUSED: Unable to connect.") });
  const { code, retryable, hint, message } = connectionError(
    refused,
    "http://localhost:11434/v1/chat/completions",
  );
  expect({ code, retryable, hint, message }).toEqual({
    code: "model.unreachable",
    retryable: false,
    hint: "start Ollama with `ollama serve`",
    message: "cannot reach the model server at localhost:11434: connection refused",
  });
});

test("a host that refuses may come back", () => {
  expect(connectionError(new Error("ECONNREFUSED"), "https://example.com/v1").retryable).toBe(true);
});
