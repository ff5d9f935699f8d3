import { expect, setDefaultTimeout, test } from "bun:test";
import { type TempHome, tempHome } from "../support/home.ts";
import { startOllamaServer } from "../support/ollama-server/server.ts";
import { run } from "../support/run.ts";

setDefaultTimeout(120_000);

async function harness(home: TempHome, ...args: string[]) {
  const { exitCode, stdout, stderr } = await run(home, ["harness", ...args]);
  return { exitCode, text: stdout + stderr };
}

const CONFIG = `model = "deepseek-chat"
model_provider = "mine"
[model_providers.mine]
base_url = "http://127.0.0.1:9/v1"
wire_api = "messages"
http_headers = { X-Secret-Token = "hidden-1" }
experimental_bearer_token = "hidden-2"
`;

test("the list names every harness with wires and size, also one that is broken", async () => {
  await using home = await tempHome();
  await home.write("~/harnesses/bad.yaml", "id: bad\ntoolz: []\n");
  const { exitCode, text } = await harness(home, "list");
  expect(exitCode).toBe(0);
  expect(text).toMatch(/^minimal +responses,chat,messages +~\d+ tokens +One tool/m);
  expect(text).toMatch(/^bad +can't be used: .*bad\.yaml:2:1: unknown key toolz; did you mean tools\?$/m);
});

test("which tells the harness that would be used, and why", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", CONFIG);
  expect((await harness(home, "which")).text).toBe(
    "claude-code-bare\n  model: deepseek-chat\n  provider: mine (messages)\n  reason: made for models like deepseek-chat\n",
  );
  expect((await harness(home, "which", "-m", "claude-x")).text).toStartWith("claude-code\n");
  expect((await harness(home, "which", "-c", 'harness=""')).text).toStartWith("native\n");
});

test("the first request is shown as it would be sent, without secrets", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", CONFIG);
  const { text } = await harness(home, "show", "claude-code-bare", "--request");
  expect(text).toStartWith("POST http://127.0.0.1:9/v1/messages?beta=true\n");
  expect(text).toContain("x-api-key: (secret)\n");
  expect(text).toContain('"model": "deepseek-chat"');
  expect(text).toMatch(/\ntools ~\d+ tokens|, tools ~\d+ tokens/);
  expect(text).not.toContain("hidden-");
});

test("the first request to a server without a key shows none", async () => {
  await using home = await tempHome();
  await using server = startOllamaServer({ models: [{ name: "qwen3:8b" }] });
  await home.write(
    "~/config.toml",
    `model_provider = "ollama"\nmodel = "qwen3:8b"\n[model_providers.ollama]\nbase_url = "${server.origin}/v1"\n`,
  );
  const { text } = await harness(home, "show", "minimal", "--request");
  expect(text).toStartWith(`POST ${server.origin}/api/chat\naccept: application/x-ndjson\n`);
  expect(text).toContain('"model": "qwen3:8b"');
  expect(text).not.toContain("(secret)");
  expect(server.chats()).toEqual([]);
});

test("a new harness starts as another one, and can be checked, compared and used", async () => {
  await using home = await tempHome();
  const made = await harness(home, "new", "mine", "--from", "claude-code");
  const file = made.text.split("\n")[0] ?? "";
  expect([made.exitCode, file]).toEqual([0, `${home.path}/harnesses/mine.yaml`]);
  expect((await harness(home, "validate", file)).text).toMatch(/mine is fine \(13 tools, ~\d+ tokens\)\n$/);
  expect((await harness(home, "diff", "mine", "claude-code")).text).toBe("no difference\n");
  const again = await harness(home, "new", "mine");
  expect([again.exitCode, again.text.includes("exists already")]).toEqual([1, true]);
});

test("a file that is wrong is refused with the place", async () => {
  await using home = await tempHome();
  const file = await home.write("h.yaml", "id: h\nextends: native\nprompt: { system: '{{nothing}}' }\n");
  const unknown = await harness(home, "validate", file);
  expect([unknown.exitCode === 0, unknown.text.includes("{{nothing}} is not a known name")]).toEqual([
    false,
    true,
  ]);
  await home.write("h.yaml", "id: h\nextends: native\nlayout:\n  system: many\n");
  expect((await harness(home, "validate", file)).text).toContain("h.yaml:4:3: layout.system: ");
});

test("an action that does not exist is a usage error", async () => {
  await using home = await tempHome();
  expect((await harness(home, "lst")).exitCode).toBe(2);
  expect((await harness(home, "show")).exitCode).toBe(2);
});

test("every text of a file is checked, and a mistake is told with its place", async () => {
  await using home = await tempHome();
  const wrong = async (lines: string) => {
    const file = await home.write("~/harnesses/wrong.yaml", `id: wrong\nextends: native\n${lines}`);
    const { exitCode, text } = await harness(home, "validate", file);
    expect(exitCode).toBe(1);
    return text.replace(file, "FILE");
  };
  expect(await wrong("prompt:\n  system: Hello {{nope}}\n")).toContain("FILE:4:17: ");
  expect(await wrong("taskEnded: |\n  {{taskId}}\n  {{exit}}\n")).toContain("FILE:5:3: ");
  expect(await wrong("agents:\n  a: { system: 'Go. {{who}}' }\n")).toContain("FILE:4:21: ");
  expect(await wrong("errors: { failed: '{{#text}}' }\n")).toContain("FILE:3:20: ");
  const tool = "tools:\n  - name: run\n    description: d\n    native: shell\n";
  const parameters = "    parameters: { type: object, properties: { line: { type: string } } }\n";
  expect(await wrong(`${tool}${parameters}    args: { command: cmd }\n`)).toContain(
    "FILE:8:13: tools.0.args.command: there is no parameter cmd",
  );
  const other = await home.write("~/harnesses/other.yaml", "id: other\n\nextends: nativ\n");
  const { text } = await harness(home, "validate", other);
  expect(text).toContain(`${other}:3:1: extends: harness \`nativ\` not found`);
  expect(text).toContain("did you mean `native`?");
});

test("a name of a tool that is not there is told when the file is checked", async () => {
  await using home = await tempHome();
  const check = async (lines: string) => {
    const path = await home.write("~/harnesses/mine.yaml", `id: mine\nextends: claude-code-bare\n${lines}\n`);
    return (await harness(home, "validate", path)).text.replace(path, "FILE");
  };
  expect(await check("dropTools: [Edti]")).toContain(
    "FILE:3:13: dropTools: there is no tool Edti\ndid you mean Edit?",
  );
  expect(await check("agents: { x: { system: y, tools: [Wirte] } }")).toContain(
    "agents.x.tools: there is no tool Wirte",
  );
  expect(await check("dropTools: [Edit]")).toContain("is fine (2 tools");
});

test("a file under another name than its id is refused as a session would refuse it", async () => {
  await using home = await tempHome();
  const path = await home.write("draft.yaml", "id: mine\nextends: native\n");
  const { exitCode, text } = await harness(home, "validate", path);
  expect([exitCode, text]).toEqual([
    1,
    `error: ${path}: id must be the name of the file, found "mine"\nwrite \`id: draft\` or rename the file\n`,
  ]);
});

test("secrets that a harness puts into a request are not shown either", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", CONFIG);
  await home.write(
    "~/harnesses/mine.yaml",
    "id: mine\nextends: claude-code\nrequest: { headers: { authorization: Bearer hidden-3 }, query: { api_key: hidden-4 } }\n",
  );
  const { text } = await harness(home, "show", "mine", "--request");
  expect(text).toContain("authorization: (secret)\n");
  expect(text).not.toContain("hidden");
});

test("a wrong number of words is answered with what was wanted and what was found", async () => {
  await using home = await tempHome();
  const said: string[] = [];
  for (const words of [["validate"], ["diff", "a"], ["which", "x"]]) {
    const { exitCode, stderr } = await run(home, ["harness", ...words]);
    said.push(`${exitCode} ${stderr.split("\n")[0]}`);
  }
  expect(said).toEqual([
    "2 error: validate: wanted FILE, found nothing",
    "2 error: diff: wanted ID ID, found a",
    "2 error: which: wanted no more, found x",
  ]);
});
