import { expect, test } from "bun:test";
import { quirksFor } from "../../src/model/quirks.ts";

test("an unknown host has no quirks", () => {
  expect(quirksFor("https://models.example.com/v1", "some-model")).toEqual({});
  expect(quirksFor("not a url", "some-model")).toEqual({});
});

test("a host counts as a whole, not as a part of another name", () => {
  expect(quirksFor("https://api.mistral.ai/v1", "m").toolCallIdPattern).toBe("^[a-zA-Z0-9]{9}$");
  expect(quirksFor("https://notmistral.ai/v1", "m")).toEqual({});
  expect(quirksFor("https://mistral.ai.example.com/v1", "m")).toEqual({});
});

test("rules of model and host are merged, and the host wins", () => {
  expect(quirksFor("https://api.groq.com/openai/v1", "openai/gpt-oss-20b")).toEqual({
    reasoningParam: "reasoning_effort",
    reasoningField: "reasoning",
    parallelToolCalls: false,
  });
});

test("Ollama is known by its port", () => {
  expect(quirksFor("http://127.0.0.1:11434/v1", "qwen3").reasoningField).toBe("reasoning");
});
