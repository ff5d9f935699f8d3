import { expect, setDefaultTimeout, test } from "bun:test";
import { type TempHome, tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { says } from "../support/ollama-server/types.ts";
import { run } from "../support/run.ts";

// Each test starts the program several times on a machine that may be busy.
setDefaultTimeout(120_000);

const CLOUD = { name: "big:480b-cloud", remoteHost: "https://ollama.com:443" };
const FORBIDDEN = "runs on Ollama's servers, and air_gapped = true forbids leaving this machine";

async function exec(home: TempHome, origin: string, args: readonly string[]) {
  const whole = ["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", ...args, "go"];
  return await run(home, whole, { env: { OLLAMA_HOST: origin } });
}

test("on an air-gapped machine no spelling and no wire reaches a model in the cloud", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", "air_gapped = true\n");
  await using server = startOllamaServer({
    models: [CLOUD, { ...CLOUD, name: "mine" }, { name: "qwen3:8b" }],
  });
  const table = (wire: string) => `model_providers.mine={base_url="${server.origin}/v1",wire_api="${wire}"}`;
  const ways = [
    ["--oss", "-m", "big:480b-cloud"],
    ["--oss", "-m", "BIG:480B-CLOUD"],
    ["--oss", "-m", "absent:cloud"],
    ["--oss", "-m", "mine"],
    ["--oss", "-m", "big:480b-cloud", "--chat-completions"],
    ["-c", table("chat"), "-c", "model_provider=mine", "-m", "big:480b-cloud"],
    ["-c", table("ollama"), "-c", "model_provider=mine", "-m", "mine"],
  ];
  for (const way of ways) {
    const { exitCode, stderr } = await exec(home, server.origin, way);
    expect([way, exitCode, stderr.includes(FORBIDDEN)]).toEqual([way, 1, true]);
  }
  const asked = server.requests.map(({ path }) => path);
  expect(asked.filter((path) => path === "/api/chat" || path.startsWith("/v1/"))).toEqual([]);
});

test("a model whose card alone says that it runs elsewhere is refused as well", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ ...CLOUD, name: "mine" }] });
  await using older = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const { method } = request;
      const body = method === "POST" ? await request.text() : undefined;
      const answer = await fetch(server.origin + pathname, {
        method,
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.text();
      return new Response(
        pathname === "/api/tags" ? text.replaceAll(/"remote_(model|host)":"[^"]*",/g, "") : text,
        answer,
      );
    },
  });
  const origin = `http://127.0.0.1:${older.port}`;
  const { exitCode, stderr } = await exec(home, origin, ["--oss", "-m", "mine", "-c", "air_gapped=true"]);
  expect([exitCode, stderr.includes(FORBIDDEN)]).toEqual([1, true]);
  expect(server.chats()).toEqual([]);
});

test("through another interface, too, none is chosen silently", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({
    models: [CLOUD, { name: "qwen3:8b" }],
    turns: [says("all done")],
  });
  const table = `model_providers.mine={base_url="${server.origin}/v1",wire_api="chat"}`;
  const { exitCode, stdout } = await exec(home, server.origin, ["-c", table, "-c", "model_provider=mine"]);
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(
    server.requests.filter(({ method }) => method === "POST").map(({ body }) => body?.["model"]),
  ).toEqual(["qwen3:8b"]);
});

test("a model in the cloud is used only when it is named, and that is said", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [CLOUD], cloud: "disabled" });
  const silent = await exec(home, server.origin, []);
  expect([silent.exitCode, silent.stderr.includes("has no model that runs on this machine")]).toEqual([
    1,
    true,
  ]);
  const named = await exec(home, server.origin, ["--oss", "-m", "big:480b-cloud"]);
  expect(named.stderr).toContain("big:480b-cloud runs on Ollama's servers: what is sent leaves this machine");
  expect(named.stderr).toContain("ollama cloud is disabled");
  await using both = startOllamaServer({ models: [CLOUD, { name: "qwen3:8b" }], turns: [says("all done")] });
  expect((await exec(home, both.origin, [])).stdout).toBe("all done\n");
  expect(both.chats()[0]?.["model"]).toBe("qwen3:8b");
});
