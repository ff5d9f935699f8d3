import { expect, test } from "bun:test";
import { modelInfo } from "../../src/providers/models.ts";

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
