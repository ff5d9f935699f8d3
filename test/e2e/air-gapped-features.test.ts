import { expect, setDefaultTimeout, test } from "bun:test";
import { type TempHome, tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { calls, says } from "../support/ollama-server/types.ts";
import { type ProxyServer, startProxy } from "../support/proxy-server.ts";
import { run } from "../support/run.ts";

// Each test starts the program several times on a machine that may be busy.
setDefaultTimeout(30_000);

/** Whatever is sent to another machine comes by here, and goes no further. */
async function gateway(): Promise<ProxyServer & { env: Record<string, string> }> {
  const nobody = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(null, { status: 404 }),
  });
  const { url, requests, ...proxy } = await startProxy(nobody.port ?? 0);
  const names = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"];
  return {
    url,
    requests,
    env: Object.fromEntries(names.map((name) => [name, url])),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await nobody.stop(true);
    },
  };
}

async function cutOff(home: TempHome, more = ""): Promise<void> {
  await home.write("~/config.toml", `air_gapped = true\n${more}`);
}

const EXEC = ["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access"];

test("a gateway sees what leaves the machine", async () => {
  await using home = await tempHome();
  await using way = await gateway();
  await home.write("~/config.toml", '[mcp_servers.far]\nurl = "http://mcp.example/mcp"\n');
  await run(home, ["mcp", "list", "--status"], { env: way.env });
  expect(way.requests[0]).toBe("POST http://mcp.example/mcp HTTP/1.1");
});

test("no command asks a provider outside for anything", async () => {
  await using home = await tempHome();
  await using way = await gateway();
  await cutOff(home);
  const env = { ...way.env, OPENAI_API_KEY: "k", OLLAMA_HOST: "http://ollama.example:80" };
  const found: unknown[] = [];
  for (const args of [
    ["models", "--provider", "openai"],
    ["models", "--provider", "ollama"],
    ["pull", "tiny:1b"],
    ["doctor"],
  ]) {
    const { exitCode, stdout, stderr } = await run(home, args, { env });
    found.push([exitCode, /air_gapped = true forbids the provider (\w+)/.exec(stdout + stderr)?.[1]]);
  }
  expect(found).toEqual([
    [1, "openai"],
    [1, "ollama"],
    [1, "ollama"],
    [1, "openai"],
  ]);
  const looked = await run(home, ["models", "--oss"], { env });
  expect(looked.stderr).toContain(
    "Ollama at http://ollama.example:80 (not asked, as air_gapped = true forbids it)",
  );
  expect(way.requests).toEqual([]);
});

test("a proxy outside is no way to a server of the private network", async () => {
  await using home = await tempHome();
  await cutOff(home);
  const table = 'model_providers.box={base_url="http://10.1.2.3/v1",wire_api="chat"}';
  const args = [...EXEC, "-c", table, "-c", "model_provider=box", "-m", "m", "go"];
  const { exitCode, stderr } = await run(home, args, { env: { http_proxy: "http://proxy.example:3128" } });
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining(
      "air_gapped = true forbids the proxy to the provider box: proxy.example is not in the private network",
    ),
  ]);
});

test("MCP servers outside are not asked, not even to sign in; those of this machine are, past every proxy", async () => {
  await using home = await tempHome();
  await using way = await gateway();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }], turns: [says("all done")] });
  const asked: string[] = [];
  await using near = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(request.method);
      return new Response(null, { status: 418 });
    },
  });
  await cutOff(
    home,
    `[mcp_servers.far]\nurl = "http://mcp.example/mcp"\n\n[mcp_servers.near]\nurl = "http://127.0.0.1:${near.port}/mcp"\n`,
  );
  const env = { ...way.env, OLLAMA_HOST: server.host };
  const reason = "air_gapped = true forbids to ask mcp.example, which is not in the private network";
  const session = await run(home, [...EXEC, "--oss", "go"], { env });
  expect([session.exitCode, session.stdout]).toEqual([0, "all done\n"]);
  expect(session.stderr).toContain(`MCP server far could not be started: ${reason}`);
  expect((await run(home, ["mcp", "list", "--status"], { env })).stdout).toContain(reason);
  const login = await run(home, ["mcp", "login", "far"], { env });
  expect([login.exitCode, login.stderr]).toEqual([1, expect.stringContaining(reason)]);
  expect(asked[0]).toBe("POST");
  expect(way.requests).toEqual([]);
});

test("no page is fetched, and no search server outside is offered, whatever the sandbox allows", async () => {
  await using home = await tempHome();
  await using way = await gateway();
  await using server = startOllamaServer({
    models: [{ name: "qwen3:8b" }],
    turns: [calls("web_fetch", { url: "http://192.0.2.1/", prompt: "read it" }), says("all done")],
  });
  await cutOff(home, '[tools.web_search]\nurl = "http://search.example/"\n');
  const args = [...EXEC, "--oss", "--harness", "qwen-code", "go"];
  const { exitCode } = await run(home, args, { env: { ...way.env, OLLAMA_HOST: server.host } });
  expect(exitCode).toBe(0);
  const [first, second] = server.chats().map((body) => JSON.stringify(body));
  expect(first).not.toContain('"web_search"');
  expect(second).toContain("this machine is cut off from the internet (air_gapped = true)");
  expect(way.requests).toEqual([]);
});
