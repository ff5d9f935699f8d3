import { expect, test } from "bun:test";
import { callText, start, testServer } from "./support.ts";

const TOKEN = "token-0123456789";

test("a token that a server repeats reaches neither the model nor the record", async () => {
  const env = { API_TOKEN: TOKEN, PLAIN: "plain-0123456789", SHORT_KEY: "short" };
  await using started = await start({ t: testServer([], { env }) });
  const text = `url?key=${TOKEN} ${env.PLAIN} ${env.SHORT_KEY}`;
  expect(await callText(started.clients, "echo", { text })).toBe(
    'echo {"text":"url?key=[key] plain-0123456789 short"}',
  );
});

test("a token of one server is kept from the answers of another, however it was given", async () => {
  const address = { url: "http://127.0.0.1:9/mcp", bearer_token_env_var: "OF_WEB" };
  const table = { web: address, t: testServer([], { env_vars: ["MY_SECRET"] }) };
  await using started = await start(table, { OF_WEB: "web-0123456789", MY_SECRET: "mine-0123456789" });
  const text = "web-0123456789 mine-0123456789";
  expect(await callText(started.clients, "echo", { text })).toBe('echo {"text":"[key] [key]"}');
});

test("a server that says its token when it fails to start is quoted without it", async () => {
  const server = {
    command: "sh",
    args: ["-c", 'echo "bad $API_TOKEN" >&2; exit 3'],
    env: { API_TOKEN: TOKEN },
  };
  await using started = await start({ t: server });
  expect(started.warnings).toEqual([
    "MCP server t could not be started: it exited with code 3; its last words: bad [key]",
  ]);
});
