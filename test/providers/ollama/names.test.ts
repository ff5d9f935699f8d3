import { expect, test } from "bun:test";
import { findInstalled, isCloudName, nearMisses, withTag } from "../../../src/providers/ollama/names.ts";

const INSTALLED = ["llama3:latest", "qwen3:8b", "hf.co/org/repo:Q4_K_M", "Mine/Coder:latest"];

test("a name without a tag means latest, and case does not matter", () => {
  expect(withTag("hf.co:8080/org/repo")).toBe("hf.co:8080/org/repo:latest");
  expect(findInstalled("llama3", INSTALLED)).toBe("llama3:latest");
  expect(findInstalled("LLAMA3:Latest", INSTALLED)).toBe("llama3:latest");
  expect(findInstalled("mine/coder", INSTALLED)).toBe("Mine/Coder:latest");
  expect(findInstalled("qwen3", INSTALLED)).toBeUndefined();
});

test("a name that is not installed is compared with those that are", () => {
  expect(nearMisses("qwen3", INSTALLED)).toEqual(["qwen3:8b"]);
  expect(nearMisses("qwen3:70b", INSTALLED)).toEqual(["qwen3:8b"]);
  expect(nearMisses("lama3", INSTALLED)).toEqual(["llama3:latest"]);
  expect(nearMisses("something-else", INSTALLED)).toEqual([]);
});

test("names of models that run elsewhere are known by their ending", () => {
  expect(["qwen3-coder:480b-cloud", "x:cloud", "X:CLOUD", "cloud:7b", "x:8b"].map(isCloudName)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
