import { expect, test } from "bun:test";
import { runDoctor } from "../../../src/core/local/doctor.ts";
import { tempHome } from "../../support/home.ts";
import { startLlamaServer } from "../../support/local-servers/llama-server.ts";
import { startVllm } from "../../support/local-servers/vllm.ts";

const SIGNAL = AbortSignal.timeout(20_000);

test("servers that run are told with their window, and with how to use them", async () => {
  await using home = await tempHome();
  await using llama = startLlamaServer({ model: "m", context: 16_384, slots: 2 });
  await using vllm = startVllm({ model: "q", maxModelLen: 24_000 });
  await using locked = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ error: "no key" }, { status: 401 }),
  });
  const ports = [llama.origin, vllm.origin, locked.url.origin].map((origin) => Number(new URL(origin).port));
  const overrides = [{ path: ["model_provider"], option: "-c", set: "demo" }];
  const options = { env: home.env, cwd: home.cwd, overrides, profile: undefined, ports };
  const checks = await runDoctor(options, SIGNAL);
  expect(checks.find(({ name }) => name === "local servers")).toEqual({
    name: "local servers",
    verdict: "ok",
    detail: [
      `llama.cpp at ${llama.origin} (1 model, context 8192), model_provider "llamacpp"`,
      `vLLM at ${vllm.origin} (1 model, context 24000), model_provider "vllm"`,
      `a model server at ${locked.url.origin} (wants a key), base_url "${locked.url.origin}/v1"`,
    ].join("\n"),
  });
});

test("programs that are missing are named with what they are for, and what to do", async () => {
  await using home = await tempHome();
  const overrides = [{ path: ["model_provider"], option: "-c", set: "demo" }];
  const options = {
    env: { ...home.env, PATH: home.cwd },
    cwd: home.cwd,
    overrides,
    profile: undefined,
    ports: [],
  };
  const [program] = await runDoctor(options, SIGNAL);
  expect([program?.verdict, program?.hint]).toEqual([
    "warn",
    "without Git, changes can't be undone: install it (git); without ripgrep, searching is slower: install it (ripgrep)",
  ]);
});
