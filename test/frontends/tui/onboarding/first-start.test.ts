import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TempHome, tempHome } from "../../../support/home.ts";
import { startTui } from "../../../support/tui.ts";

// A program is started for each test, on a machine that may be busy.
setDefaultTimeout(120_000);

function ollama() {
  const facts = {
    "/api/version": { version: "0.33.0" },
    "/api/tags": { models: [{ name: "tiny:1b", model: "tiny:1b", size: 1_234_567_890 }] },
    "/api/ps": { models: [] },
    "/api/show": {
      capabilities: ["completion", "tools"],
      parameters: "num_ctx 32768",
      model_info: { "general.architecture": "llama", "llama.context_length": 32_768 },
    },
  };
  const answer = [
    { message: { role: "assistant", content: "LOCAL-OK" }, done: false },
    { message: { role: "assistant", content: "" }, done: true, done_reason: "stop", eval_count: 2 },
  ];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/api/chat")
        return new Response(answer.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const found = Object.entries(facts).find(([path]) => path === pathname);
      return found ? Response.json(found[1]) : new Response("not found", { status: 404 });
    },
  });
  return { host: `127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

const WRITTEN = 'model_provider = "ollama"\nmodel = "tiny:1b"\n';

function configOf(home: TempHome): Promise<string> {
  return readFile(join(home.path, "config.toml"), "utf8");
}

test("without settings, two times Enter lead from the first start to an answer of the local model", async () => {
  await using server = ollama();
  await using home = await tempHome();
  await using tui = startTui(home, [], { env: { OLLAMA_HOST: server.host } });
  await tui.until(/● tiny:1b {2}1\.2 GB {2}32k {2}tools/);
  tui.type("\r");
  await tui.until(/● Trust/);
  expect(await configOf(home)).toBe(WRITTEN);
  tui.type("\r");
  await tui.until(/100% left/);
  tui.type("hello\r");
  await tui.until("LOCAL-OK");
  expect(await configOf(home)).toContain('trust_level = "trusted"');
});

test("the same in lines, for a terminal that can do no more", async () => {
  await using server = ollama();
  await using home = await tempHome();
  await using tui = startTui(home, [], { env: { OLLAMA_HOST: server.host, TERM: "dumb" }, rows: 40 });
  await tui.until("answer with a number:");
  tui.type("1\n");
  await tui.until(/needs answer: Trust[\s\S]*answer with a number, Enter for 1:/);
  tui.type("2\n");
  await tui.until(/^>$/m);
  tui.type("hello\n");
  await tui.until("LOCAL-OK");
  expect(await configOf(home)).toBe(WRITTEN);
  expect(tui.raw).not.toContain("\u001b");
});
