import { expect, setDefaultTimeout, test } from "bun:test";
import { tempHome } from "../support/home.ts";
import { serveDocuments, serveOnLoopback } from "../support/loopback.ts";
import { run } from "../support/run.ts";

// Each test starts the program several times on a machine that may be busy.
setDefaultTimeout(30_000);

const FORGED = "good\nok    sandbox        forged";
const ESCAPES = "evil\u001b]0;title\u0007\u001b[2J\u009b31m\u202e";
/** An object that can't be written as a text. */
const UNWRITABLE = { toString: 1, valueOf: 1 };

const OLLAMA = {
  "/api/version": { version: `0.32.15${ESCAPES}\n${FORGED}` },
  "/api/tags": {
    models: [
      { name: FORGED, size: 1 },
      { name: ESCAPES },
      { name: "m".repeat(1_000_000) },
      null,
      { name: "fine:1b", size: -1, capabilities: [UNWRITABLE, "completion", "tools"] },
    ],
  },
  "/api/ps": { models: [{ name: "fine:1b", context_length: 1e300 }, UNWRITABLE] },
  "/api/show": {
    capabilities: ["completion", "tools", ESCAPES, UNWRITABLE],
    model_info: { "general.architecture": UNWRITABLE },
    parameters: "num_ctx 1e300\nnum_ctx 99999999999999999999",
  },
};

test("what a hostile Ollama says of itself can neither forge a line nor reach the terminal", async () => {
  await using home = await tempHome();
  await using server = serveDocuments(OLLAMA);
  const env = { OLLAMA_HOST: server.host };
  const shown = [];
  for (const args of [
    ["doctor", "--oss"],
    ["doctor", "--oss", "--json"],
    ["models", "--oss"],
    ["exec", "--skip-git-repo-check", "--oss", "-m", "absent", "go"],
  ]) {
    const { stdout, stderr } = await run(home, args, { env });
    shown.push(stdout + stderr);
  }
  const all = shown.join("");
  expect(all).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|forged|internal error/);
  expect(all.length).toBeLessThan(10_000);
  expect(shown[0]).toMatch(/^ok {4}model {10}fine:1b \(tools\)$/m);
  expect(shown[0]).toMatch(/^ok {4}context {8}\d+ tokens/m);
  expect(shown[2]).toMatch(/^\* fine:1b /m);
  expect(shown[3]).toContain("installed: fine:1b\n");
});

test("the address of another server that a local one names is neither asked nor given the key", async () => {
  await using home = await tempHome();
  const seen: string[] = [];
  await using thief = serveOnLoopback((request) => {
    seen.push(request.url);
    return Response.json({});
  });
  await using server = serveOnLoopback(({ url }) =>
    Response.redirect(thief.origin + new URL(url).pathname, 307),
  );
  await home.write(
    "~/config.toml",
    `model_provider = "box"\n[model_providers.box]\nbase_url = "${server.origin}/v1"\nwire_api = "chat"\nenv_key = "BOX_KEY"\n`,
  );
  const env = { BOX_KEY: "secret-key-1", OLLAMA_HOST: server.host };
  const exec = ["exec", "--skip-git-repo-check"];
  const runs = [
    [...exec, "go"],
    [...exec, "-m", "m", "go"],
    [...exec, "--oss", "go"],
    ["models"],
    ["models", "--provider", "ollama"],
    ["pull", "tiny:1b"],
    ["doctor"],
  ];
  for (const args of runs) expect([args, (await run(home, args, { env })).exitCode]).toEqual([args, 1]);
  expect(seen).toEqual([]);
});
