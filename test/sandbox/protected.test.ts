import { expect, test } from "bun:test";
import { isSecretName, KEY_FILES, PROTECTED_NAMES } from "../../src/sandbox/protected.ts";

test("the protected names are these", () => {
  expect(PROTECTED_NAMES).toEqual([".git", ".agents", ".codex", ".openinterpreter", ".aws"]);
});

test("the files that hold keys are these", () => {
  expect(KEY_FILES).toEqual([".env", "mcp-tokens.json"]);
});

test("names of credentials are recognised in any case and place", () => {
  const names = ["OPENAI_API_KEY", "github_token", "MySecretThing", "PATH", "HOME", "LANG", "MYVAR"];
  expect(names.filter(isSecretName)).toEqual(["OPENAI_API_KEY", "github_token", "MySecretThing"]);
});
