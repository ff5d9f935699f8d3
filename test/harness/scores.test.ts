import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load.ts";
import { firstRequest } from "../../src/core/harness/harness-preview.ts";
import { tempHome } from "../support/home.ts";
import { differing, type FactFile } from "./facts.ts";

const FIXTURES = join(import.meta.dir, "../fixtures/harness");

for (const name of await readdir(FIXTURES)) {
  const file: FactFile = await Bun.file(join(FIXTURES, name)).json();
  test(`${file.id}: the first request is that of the program`, async () => {
    const request = await previewOf(file);
    expect(differing(file, request)).toEqual([]);
  });
}

test("the check tells one harness from another", async () => {
  const [bare, full]: FactFile[] = await Promise.all(
    ["claude-code-bare", "claude-code"].map((id) => Bun.file(join(FIXTURES, `${id}.json`)).json()),
  );
  if (!bare || !full) throw new Error("the fixtures are missing");
  const wrong = differing({ ...bare }, await previewOf(full));
  expect(wrong).toEqual([
    "messages.first_request",
    "tools.names",
    "tools.entry_keys",
    "tool.Bash.schema",
    "header.anthropic-beta",
  ]);
});

async function previewOf({ id, wire, model }: FactFile) {
  await using home = await tempHome();
  await home.write(
    "~/config.toml",
    `model_provider = "p"
model = "${model}"
harness = "${id}"
sandbox_mode = "danger-full-access"
[model_providers.p]
name = "P"
base_url = "http://127.0.0.1:9/v1"
wire_api = "${wire}"
env_key = "P_KEY"
[tools.web_search]
url = "http://127.0.0.1:9/search"
`,
  );
  const env = { ...home.env, P_KEY: "key-of-the-test" };
  const config = await loadConfig({ env, cwd: home.cwd, overrides: [] });
  const options = { config, env, cwd: home.cwd, prompt: "go" };
  return firstRequest(options, AbortSignal.timeout(60_000));
}
