import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadConfig } from "../../../../src/config/load.ts";
import { pickHarness } from "../../../../src/frontends/tui/prompts/pickers/harness.ts";
import { pickModel } from "../../../../src/frontends/tui/prompts/pickers/model.ts";
import { pickPermissions } from "../../../../src/frontends/tui/prompts/pickers/permissions.ts";
import { pickSession } from "../../../../src/frontends/tui/prompts/pickers/session.ts";
import { type TempHome, tempHome } from "../../../support/home.ts";
import { startLlamaServer } from "../../../support/local-servers/llama-server.ts";
import { serveDocuments } from "../../../support/loopback.ts";
import { FakeAsker } from "../onboarding/fake-asker.ts";

const signal = new AbortController().signal;
const CURRENT = { provider: "mine", model: "beta", harness: "native" };

/** Settings with one provider of the user's own; nothing runs where Ollama is looked for. */
async function aroundOf(home: TempHome, host: string, more: Readonly<Record<string, string>> = {}) {
  await home.write(
    "~/config.toml",
    `model_provider = "mine"\nmodel = "beta"\n[model_providers.mine]\nname = "Mine"\nbase_url = "http://${host}/v1"\nwire_api = "chat"\n`,
  );
  const env = { ...home.env, OLLAMA_HOST: "127.0.0.1:1", ...more };
  const config = await loadConfig({ env, cwd: home.cwd, overrides: [], systemFile: join(home.path, "none") });
  return { config, env, current: CURRENT, signal, ports: [] };
}

/** Where llama.cpp's server listens; another one may run on this machine. */
const USUAL_PORT = 8080;
const isTaken = await fetch(`http://127.0.0.1:${USUAL_PORT}/`).then(
  () => true,
  () => false,
);

const LISTED = {
  "/v1/models": {
    object: "list",
    data: [
      { id: "alpha", object: "model", context_length: 131_072 },
      { id: "beta", object: "model" },
    ],
  },
};

test("the current provider and model come first and are marked", async () => {
  await using server = serveDocuments(LISTED);
  await using home = await tempHome();
  const asker = new FakeAsker("Mine", "alpha");
  const answer = await pickModel(asker, await aroundOf(home, server.host));
  expect(asker.seen[1]).toBe(`> Mine  local  ${server.host}`);
  expect(asker.seen.filter((line) => /alpha|beta/.test(line)).map((line) => line.slice(0, 7))).toEqual([
    "> beta",
    "  alpha",
  ]);
  expect(answer).toEqual({
    overrides: [
      { path: ["model_provider"], option: "/model", set: "mine" },
      { path: ["model"], option: "/model", set: "alpha" },
    ],
    env: {},
  });
});

test("only what can be used is offered: keys that are set, servers that run", async () => {
  await using home = await tempHome();
  const asker = new FakeAsker(undefined);
  await pickModel(asker, await aroundOf(home, "127.0.0.1:1", { GROQ_API_KEY: "k" }));
  const names = asker.seen.slice(1).map((line) => line.slice(2).split("  ")[0]?.trim());
  expect(names).toEqual(["Mine", "Groq", "another provider, with an API key…"]);
});

test.skipIf(isTaken)(
  `a server of a kind that is built in is offered while it runs${isTaken ? " (skipped: port 8080 is taken)" : ""}`,
  async () => {
    await using server = startLlamaServer({ model: "m.gguf", context: 16_384, port: USUAL_PORT });
    await using home = await tempHome();
    const asker = new FakeAsker("llama.cpp", "m.gguf");
    const answer = await pickModel(asker, { ...(await aroundOf(home, "127.0.0.1:1")), ports: [USUAL_PORT] });
    expect(asker.seen).toContain("  llama.cpp  local  127.0.0.1:8080");
    expect(server.chats).toEqual([]);
    expect(answer).toEqual({
      overrides: [
        { path: ["model_provider"], option: "/model", set: "llamacpp" },
        { path: ["model"], option: "/model", set: "m.gguf" },
      ],
      env: {},
    });
  },
);

test("a local server's models are shown with size, context and tools; effort only where there is a choice", async () => {
  await using server = serveDocuments({
    "/api/version": { version: "0.33.0" },
    "/api/tags": { models: [{ name: "think:8b", size: 5_200_000_000 }] },
    "/api/ps": { models: [{ name: "think:8b" }] },
    "/api/show": {
      capabilities: ["completion", "tools", "thinking"],
      model_info: { "general.architecture": "q", "q.context_length": 40_960 },
    },
  });
  await using home = await tempHome();
  const asker = new FakeAsker("Ollama", "think:8b", "high");
  const answer = await pickModel(asker, await aroundOf(home, "127.0.0.1:1", { OLLAMA_HOST: server.host }));
  expect(asker.seen).toContain("> think:8b  5.2 GB  40k  tools, loaded");
  expect(answer?.overrides.map((one) => ("set" in one ? one.set : undefined))).toEqual([
    "ollama",
    "think:8b",
    "high",
  ]);
});

test("a provider that does not answer is one sentence, and nothing changes", async () => {
  await using home = await tempHome();
  const asker = new FakeAsker("Mine");
  expect(await pickModel(asker, await aroundOf(home, "127.0.0.1:1"))).toBeUndefined();
  expect(asker.seen.at(-2)).toContain("127.0.0.1:1");
  expect(asker.seen.at(-1)).toBe("start the server, or check base_url");
});

test("harnesses are shown with their tools, the current one first, the fitting one named", async () => {
  await using home = await tempHome();
  const around = await aroundOf(home, "127.0.0.1:1");
  const asker = new FakeAsker("minimal");
  const overrides = await pickHarness(asker, { ...around, current: { ...CURRENT, model: "qwen3-coder" } });
  expect(overrides).toEqual([{ path: ["harness"], option: "/harness", set: "minimal" }]);
  expect(asker.seen[1]).toMatch(/^> native +current · .*exec_command/);
  expect(asker.seen.filter((line) => line.includes("recommended for qwen3-coder"))).toHaveLength(1);
});

test("full access needs a second yes, and not when it is on already", async () => {
  expect(await pickPermissions(new FakeAsker("full access", false), "read-only")).toBeUndefined();
  const set = [
    { path: ["sandbox_mode"], option: "/permissions", set: "danger-full-access" },
    { path: ["approval_policy"], option: "/permissions", set: "never" },
  ];
  expect(await pickPermissions(new FakeAsker("full access", true), "read-only")).toEqual(set);
  const asker = new FakeAsker("full access");
  expect(await pickPermissions(asker, "danger-full-access")).toEqual(set);
  expect(asker.seen[1]).toStartWith("> full access");
});

async function keepSession(home: TempHome, id: string, cwd: string, text: string): Promise<void> {
  const { createSessionStore } = await import("../../../../src/sessions/store.ts");
  const facts = {
    id,
    cwd,
    createdAt: "2026-01-01T00:00:00.000Z",
    provider: "mine",
    model: "beta",
    harness: "native",
    originator: "test",
    source: "tui" as const,
    cliVersion: "0",
  };
  const writer = createSessionStore({ home: home.path }).create(facts);
  writer.listener({ type: "session.started", session: facts });
  const content = [{ type: "input_text" as const, text }];
  const context = {
    turnId: "t",
    cwd,
    provider: "mine",
    model: "beta",
    harness: "native",
    approvals: "never" as const,
    sandboxMode: "read-only" as const,
    sandbox: { mode: "off" as const },
  };
  writer.listener({ type: "turn.started", context, input: content });
  writer.listener({ type: "history.appended", item: { type: "message", role: "user", content } });
  await writer[Symbol.asyncDispose]();
}

const [HERE, ELSEWHERE, OPEN] = [
  "0199c3f2-5b7e-7c41-9a70-000000000001",
  "0199c3f2-5b7e-7c41-9a70-000000000002",
  "0199c3f2-5b7e-7c41-9a70-000000000003",
];

test("conversations of this folder are offered without the open one; those of all folders are one choice away", async () => {
  await using home = await tempHome();
  await keepSession(home, HERE ?? "", home.cwd, "fix the parser");
  await keepSession(home, OPEN ?? "", home.cwd, "the open one");
  await keepSession(home, ELSEWHERE ?? "", "/elsewhere", "write docs");
  const asker = new FakeAsker("conversations of all", "write docs");
  const place = { home: home.path, cwd: home.cwd, isAll: false, current: OPEN, now: Date.now() };
  expect(await pickSession(asker, place)).toBe(ELSEWHERE ?? "");
  expect(asker.seen.slice(0, 3)).toEqual([
    "? Continue",
    `> ${"fix the parser".padEnd(46)}  now  beta`,
    "  conversations of all folders…",
  ]);
  expect(asker.seen.join("\n")).not.toContain("the open one");
});

test("without any conversation that is said", async () => {
  await using home = await tempHome();
  const asker = new FakeAsker();
  const place = { home: home.path, cwd: home.cwd, isAll: true, current: undefined, now: 0 };
  expect(await pickSession(asker, place)).toBeUndefined();
  expect(asker.seen).toEqual(["There is no earlier conversation."]);
});
