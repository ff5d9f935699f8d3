import { expect, test } from "bun:test";
import { modelInfo } from "../../src/providers/models.ts";
import { fixtureRows } from "./fixtures.ts";

test("a GPT model is known with its patch tool, its efforts and a budget in tokens", () => {
  expect(modelInfo("gpt-5.5", { isLocal: false })).toEqual({
    id: "gpt-5.5",
    label: "gpt-5.5",
    contextWindow: 272_000,
    maxOutput: undefined,
    efforts: ["none", "low", "medium", "high", "xhigh"],
    defaultEffort: "medium",
    images: true,
    tools: true,
    freeformPatch: true,
    parallelToolCalls: true,
    truncation: { unit: "tokens", limit: 10_000 },
    known: true,
  });
});

test("an unknown model works with cautious numbers", () => {
  expect(modelInfo("mock-1", { isLocal: false })).toEqual({
    id: "mock-1",
    label: "mock-1",
    contextWindow: 272_000,
    maxOutput: undefined,
    efforts: [],
    defaultEffort: undefined,
    images: true,
    tools: true,
    freeformPatch: false,
    parallelToolCalls: true,
    truncation: { unit: "bytes", limit: 10_000 },
    known: false,
  });
});

test("a model is recognised behind the name of its maker, with a tag, and in capitals", () => {
  const ids = ["openai/gpt-oss-120b", "gpt-oss:20b", "Qwen/Qwen3-Coder-480B-A35B-Instruct", "MiniMax-M2.7"];
  expect(ids.map((id) => modelInfo(id, { isLocal: false }).contextWindow)).toEqual([
    131_072, 131_072, 262_144, 196_608,
  ]);
});

test("the most specific rule decides", () => {
  const ids = ["gpt-5.5", "gpt-5-codex", "gpt-5", "gpt-5-mini", "claude-opus-4-8", "claude-opus-4-1"];
  expect(ids.map((id) => modelInfo(id, { isLocal: false }).efforts.join(" "))).toEqual([
    "none low medium high xhigh",
    "low medium high xhigh",
    "minimal low medium high",
    "minimal low medium high",
    "low medium high",
    "low medium high",
  ]);
  expect(modelInfo("claude-opus-4-8", { isLocal: false }).contextWindow).toBe(1_000_000);
});

test("a local server is expected to load less than the model could hold", () => {
  const windows = ["gpt-oss:20b", "something-new", "phi4:14b"].map(
    (id) => modelInfo(id, { isLocal: true }).contextWindow,
  );
  expect(windows).toEqual([32_768, 32_768, 16_384]);
});

test("the user's own window wins, on a local server too", () => {
  const windows = [true, false].map(
    (isLocal) => modelInfo("gpt-oss:20b", { isLocal, contextWindow: 65_536 }).contextWindow,
  );
  expect(windows).toEqual([65_536, 65_536]);
});

test("the user's own output limit, in tokens, keeps the unit of the model", () => {
  expect(modelInfo("gpt-5.5", { isLocal: false, toolOutputLimit: 500 }).truncation).toEqual({
    unit: "tokens",
    limit: 500,
  });
  expect(modelInfo("mock-1", { isLocal: false, toolOutputLimit: 500 }).truncation).toEqual({
    unit: "bytes",
    limit: 2000,
  });
});

test("models of the larger hosts are known: no window is larger than the host's, none much smaller", async () => {
  const rows = await fixtureRows("host-models.txt");
  const wrong = rows.filter(([provider, id = "", tokens, input]) => {
    const { known, contextWindow, images } = modelInfo(id, { isLocal: false, provider });
    const share = contextWindow / Number(tokens);
    return !known || share > 1 || share < 0.9 || images !== (input === "images");
  });
  expect([wrong, rows.length]).toEqual([[], 205]);
});

test("a host's own window counts only there", () => {
  const windows = ["alibaba", "groq", undefined].map(
    (provider) => modelInfo("qwen3-32b", { isLocal: false, provider }).contextWindow,
  );
  expect(windows).toEqual([131_072, 131_072, 40_960]);
});

const ALIASES = [
  ["deepseek/deepseek-chat", 1_000_000],
  ["deepseek/deepseek-chat:free", 1_000_000],
  ["DeepSeek-Reasoner@20260101", 1_000_000],
  ["qwen/qwen3-coder:free", 262_144],
  ["hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:Q4_K_M", 262_144],
  ["mlx-community/gpt-oss-20b-MXFP4-Q8", 131_072],
  ["MiMo-V2.5-fp8", 1_048_576],
  ["accounts/fireworks/models/deepseek-v3p1", 163_840],
  ["accounts/fireworks/models/kimi-k2p5", 262_144],
  ["us.anthropic.claude-opus-4-8-v1:0", 1_000_000],
  ["anthropic/claude-sonnet-4.6", 1_000_000],
  ["Claude-Sonnet-4.5", 200_000],
  ["meta-llama/Meta-Llama-3.1-70B-Instruct", 128_000],
] as const;

for (const [id, window] of ALIASES) {
  test(`${id} is recognised`, () => {
    const { known, contextWindow } = modelInfo(id, { isLocal: false });
    expect([known, contextWindow]).toEqual([true, window]);
  });
}

test("what the server says of a model counts more than what is built in, and less than the user's word", () => {
  const listed = {
    id: "glm-5.1",
    label: "GLM 5.1",
    contextWindow: 131_072,
    images: true,
    tools: false,
  };
  const { label, contextWindow, images, tools } = modelInfo("glm-5.1", { isLocal: true, listed });
  expect([label, contextWindow, images, tools]).toEqual(["GLM 5.1", 131_072, true, false]);
  const own = modelInfo("glm-5.1", { isLocal: false, listed, contextWindow: 9000 });
  expect(own.contextWindow).toBe(9000);
});

test("a model that only the server knows is known by its window", () => {
  const small = modelInfo("new-1", { isLocal: false, listed: { id: "new-1", contextWindow: 8192 } });
  expect([small.known, small.contextWindow, small.truncation]).toEqual([
    true,
    8192,
    { unit: "bytes", limit: 10_000 },
  ]);
  const wide = modelInfo("new-1", { isLocal: false, listed: { id: "new-1", contextWindow: 131_072 } });
  expect(wide.truncation).toEqual({ unit: "tokens", limit: 10_000 });
  expect(modelInfo("new-1", { isLocal: false, listed: { id: "new-1" } }).known).toBe(false);
});
