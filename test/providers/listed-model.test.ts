import { expect, test } from "bun:test";
import { type ListedModel, readModelList } from "../../src/providers/listed-model.ts";

function read(entry: unknown): ListedModel | undefined {
  return readModelList({ data: [entry] })?.[0];
}

test("lists come in several shapes", () => {
  const shapes = [
    { object: "list", data: [{ id: "b" }, { id: "a" }] },
    { data: [{ id: "b" }, { id: "a" }] },
    [{ id: "b" }, { id: "a" }],
    { models: [{ name: "b" }, { name: "a" }] },
    { data: ["b", "a", "a"] },
  ];
  const ids = shapes.map((shape) => readModelList(shape)?.map(({ id }) => id));
  expect(ids).toEqual(shapes.map(() => ["a", "b"]));
});

test("a server without models says null, and what is not a list is told apart", () => {
  const empty = [{ object: "list", data: null }, { data: [] }, { models: [] }, []];
  expect(empty.map(readModelList)).toEqual([[], [], [], []]);
  const others = [undefined, null, "x", 1, {}, { data: {} }, { error: "no" }];
  expect(others.map(readModelList)).toEqual(others.map(() => undefined));
});

const ENTRIES: readonly [host: string, entry: unknown, facts: ListedModel][] = [
  [
    "a gateway",
    {
      id: "qwen/qwen3-coder",
      name: "Qwen: Qwen3 Coder",
      context_length: 262_144,
      architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
      supported_parameters: ["max_tokens", "tools"],
    },
    {
      id: "qwen/qwen3-coder",
      label: "Qwen: Qwen3 Coder",
      contextWindow: 262_144,
      images: true,
      tools: true,
    },
  ],
  ["Groq", { id: "m", context_window: 131_072, active: true }, { id: "m", contextWindow: 131_072 }],
  ["vLLM", { id: "m", owned_by: "vllm", max_model_len: 8192 }, { id: "m", contextWindow: 8192 }],
  [
    "llama-server",
    { id: "m", owned_by: "llamacpp", meta: { n_ctx: 16_384, n_ctx_train: 131_072 } },
    { id: "m", contextWindow: 16_384 },
  ],
  ["llama-server while it loads", { id: "m", owned_by: "llamacpp", meta: null }, { id: "m" }],
  [
    "LM Studio",
    { id: "m", type: "vlm", state: "loaded", max_context_length: 131_072, loaded_context_length: 4096 },
    { id: "m", contextWindow: 4096, images: true },
  ],
  [
    "Mistral",
    {
      id: "m",
      max_context_length: 32_768,
      capabilities: { completion_chat: true, function_calling: false, vision: false },
    },
    { id: "m", contextWindow: 32_768, images: false, tools: false },
  ],
  [
    "Moonshot",
    { id: "kimi-k2.5", context_length: 262_144, supports_image_in: true },
    { id: "kimi-k2.5", contextWindow: 262_144, images: true },
  ],
  [
    "Anthropic",
    { type: "model", id: "claude-x", display_name: "Claude X" },
    { id: "claude-x", label: "Claude X" },
  ],
  ["Google", { id: "models/gemini-3.5-flash", object: "model" }, { id: "gemini-3.5-flash" }],
  [
    "Ollama",
    {
      name: "gemma3:4b",
      model: "gemma3:4b",
      details: { context_length: 131_072 },
      capabilities: ["completion", "vision"],
    },
    { id: "gemma3:4b", images: true, tools: false },
  ],
  ["an older Ollama", { name: "qwen3:8b", model: "qwen3:8b", size: 1 }, { id: "qwen3:8b" }],
];

for (const [host, entry, facts] of ENTRIES) {
  test(`what ${host} says of a model is understood`, () => {
    expect(read(entry)).toEqual(facts);
  });
}

test("models that can't hold a conversation are left out", () => {
  const others = [
    { id: "text-embedding-3-small" },
    { id: "nomic-embed-text:latest" },
    { id: "whisper-large-v3" },
    { id: "tts-1-hd" },
    { id: "dall-e-3" },
    { id: "BAAI/bge-m3" },
    { id: "omni-moderation-latest" },
    { id: "m", type: "embeddings" },
    { id: "m", capabilities: ["embedding"] },
    { id: "m", architecture: { output_modalities: ["image"] } },
  ];
  expect(others.filter((entry) => read(entry) !== undefined)).toEqual([]);
  const kept = ["gpt-5.5", "embedded-coder", "deepseek-v4", "fluxional-1", "gemini-3.1-flash-lite-image"];
  expect(kept.filter((id) => read({ id }) === undefined)).toEqual([]);
});

test("what a server can't mean is not believed", () => {
  const windows = [0, -1, 1.5, 12, 1e12, "8192", null, Number.NaN];
  expect(windows.map((context_length) => read({ id: "m", context_length }))).toEqual(
    windows.map(() => ({ id: "m" })),
  );
  expect([{}, { id: "" }, { id: 7 }, null, 7, { id: "x".repeat(501) }].map(read)).toEqual(
    [1, 2, 3, 4, 5, 6].map(() => undefined),
  );
});

test("an id that would move the cursor is left out, and a label is made harmless", () => {
  expect([`a\u001b[2J`, "a\nb", "a\u202eb", "a\tb"].map((id) => read({ id }))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(read({ id: "m", display_name: `\u001b]0;x\u0007Good\r\n  name${"!".repeat(100)}` })?.label).toBe(
    `Good name${"!".repeat(71)}`,
  );
});
