import { expect, test } from "bun:test";
import { bytesPerToken, cacheFacts } from "../../../src/providers/ollama/kv-cache.ts";
import { chooseWindow } from "../../../src/providers/ollama/window.ts";
import type { Json } from "../../../src/util/json.ts";

const GIB = 2 ** 30;
const QWEN3_4B = {
  "general.architecture": "qwen3",
  "qwen3.block_count": 36,
  "qwen3.embedding_length": 2560,
  "qwen3.attention.head_count": 32,
  "qwen3.attention.head_count_kv": 8,
  "qwen3.attention.key_length": 128,
  "qwen3.attention.value_length": 128,
};

function perToken(info: Json, env: Record<string, string> = {}): number | undefined {
  const facts = cacheFacts(info);
  return facts && bytesPerToken(facts, env);
}

test("a token's memory follows from layers, heads and their width", () => {
  expect(perToken(QWEN3_4B)).toBe(147_456);
  const { "qwen3.attention.key_length": _, "qwen3.attention.value_length": __, ...rest } = QWEN3_4B;
  expect(perToken(rest)).toBe(92_160);
  expect(perToken({ "general.architecture": "x" })).toBeUndefined();
});

test("heads that differ from layer to layer are summed; a list that was left out counts as the most possible", () => {
  const heads = [8, 0, 0, 4];
  const counted = cacheFacts({ ...QWEN3_4B, "qwen3.attention.head_count_kv": heads });
  expect(counted).toEqual({ elementsPerToken: 12 * 256, architecture: "qwen3", isRough: false });
  const rough = cacheFacts({ ...QWEN3_4B, "qwen3.attention.head_count_kv": null });
  expect(rough).toEqual({ elementsPerToken: 36 * 32 * 256, architecture: "qwen3", isRough: true });
});

test("a smaller type of cache makes a token cheaper, and conversations side by side make it dearer", () => {
  const inType = (type: string) => perToken(QWEN3_4B, { OLLAMA_KV_CACHE_TYPE: type });
  expect(["f16", "q8_0", ' "Q4_0" ', "unheard"].map(inType)).toEqual([147_456, 78_336, 41_472, 147_456]);
  expect(perToken(QWEN3_4B, { OLLAMA_NUM_PARALLEL: "4" })).toBe(4 * 147_456);
  expect(perToken(QWEN3_4B, { OLLAMA_NUM_PARALLEL: "0" })).toBe(147_456);
});

test("families that Ollama runs in one conversation only are not multiplied", () => {
  const info = { ...QWEN3_4B, "general.architecture": "qwen3next" };
  const renamed = Object.fromEntries(
    Object.entries(info).map(([key, value]) => [key.replace("qwen3.", "qwen3next."), value]),
  );
  expect(perToken(renamed, { OLLAMA_NUM_PARALLEL: "4" })).toBe(147_456);
});

test("the user's number wins, but never above what the model was made for", () => {
  expect(chooseWindow({ wanted: 20_000, modelMax: 131_072, loaded: 65_536 })).toEqual({
    tokens: 20_000,
    origin: "model_context_window",
  });
  expect(chooseWindow({ wanted: 200_000, modelMax: 40_960 })).toEqual({
    tokens: 40_960,
    origin: "model_context_window",
    warning: "model_context_window is 200000, but the model was made for 40960 tokens",
  });
});

test("a window that is loaded already, or set in the model, is kept when it is large enough", () => {
  expect(chooseWindow({ loaded: 32_768, modelMax: 131_072 })).toEqual({
    tokens: 32_768,
    origin: "as it is loaded",
  });
  expect(chooseWindow({ modelDefault: 24_000, modelMax: 131_072 }).tokens).toBe(24_000);
  expect(chooseWindow({ loaded: 4096, modelDefault: 4096, modelMax: 131_072 }).tokens).toBe(32_768);
});

test("without a choice, as much is asked for as fits into memory", () => {
  const facts = { modelMax: 262_144, modelBytes: 2.33 * GIB, bytesPerToken: 147_456 };
  expect(chooseWindow({ ...facts, freeBytes: 7.2 * GIB })).toEqual({
    tokens: 20_480,
    origin: "what memory allows",
  });
  expect(chooseWindow({ ...facts, freeBytes: 64 * GIB })).toEqual({
    tokens: 65_536,
    origin: "fits into memory",
  });
  expect(chooseWindow({ ...facts, modelMax: 40_960, freeBytes: 64 * GIB }).tokens).toBe(40_960);
});

test("where memory is short, the least that can work is asked for, with a warning", () => {
  const tight = chooseWindow({
    modelMax: 131_072,
    modelBytes: 5 * GIB,
    bytesPerToken: 147_456,
    freeBytes: 6 * GIB,
  });
  expect(tight.tokens).toBe(8192);
  expect(tight.warning).toContain("seems to be free");
});
