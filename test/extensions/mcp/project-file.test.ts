import { expect, test } from "bun:test";
import { loadConfig } from "../../../src/config/load.ts";
import { configuredServers } from "../../../src/extensions/mcp/project-file.ts";
import { type TempHome, tempHome } from "../../support/home.ts";

async function serversIn(home: TempHome, env: Record<string, string> = {}) {
  const config = await loadConfig({ env: home.env, cwd: home.cwd, overrides: [] });
  const { servers, warnings } = await configuredServers(config, env);
  const entries = [...servers].map(([name, { values, source }]) => [name, source, values] as const);
  return { entries, warnings };
}

async function trustedHome(servers: unknown, config = ""): Promise<TempHome> {
  const home = await tempHome();
  await home.write(".git/HEAD", "");
  await home.write(
    ".mcp.json",
    typeof servers === "string" ? servers : JSON.stringify({ mcpServers: servers }),
  );
  await home.write(
    "~/config.toml",
    `${config}\n[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`,
  );
  return home;
}

const DEFAULTS = { enabled: true, required: false, supports_parallel_tool_calls: false };

const variable = (name: string) => `\${${name}}`;

test("programs and addresses of a trusted project are read, with variables filled in", async () => {
  await using home = await trustedHome({
    tool: {
      command: variable("TOOL:-tool"),
      args: ["--key", variable("KEY")],
      env: { A: `${variable("KEY")}!` },
    },
    web: { type: "http", url: `https://${variable("HOST")}/mcp`, headers: { "X-Key": variable("KEY") } },
  });
  const { entries, warnings } = await serversIn(home, { KEY: "k", HOST: "a.example" });
  expect(warnings).toEqual([]);
  expect(entries).toEqual([
    ["tool", ".mcp.json", { ...DEFAULTS, command: "tool", args: ["--key", "k"], env: { A: "k!" } }],
    ["web", ".mcp.json", { ...DEFAULTS, url: "https://a.example/mcp", http_headers: { "X-Key": "k" } }],
  ]);
});

test("a server of config.toml goes before one of the same name", async () => {
  await using home = await trustedHome(
    { tool: { command: "theirs" } },
    '[mcp_servers.tool]\ncommand = "mine"\n',
  );
  const { entries } = await serversIn(home);
  expect(entries).toEqual([["tool", "config.toml", { ...DEFAULTS, command: "mine" }]]);
});

test("without trust the file is not even read", async () => {
  await using home = await trustedHome("no JSON");
  await home.write("~/config.toml", "");
  expect(await serversIn(home)).toEqual({ entries: [], warnings: [] });
});

test("what can't be used is a warning, and the rest is used", async () => {
  await using home = await trustedHome({
    good: { command: "tool" },
    both: { command: "tool", args: "no list" },
    neither: {},
    unset: { command: "tool", args: [variable("NOT_SET")] },
  });
  const { entries, warnings } = await serversIn(home);
  expect(entries.map(([name]) => name)).toEqual(["good"]);
  expect(warnings.map((warning) => warning.replace(home.cwd, "").split("\n")[0])).toEqual([
    "/.mcp.json: the server both is ignored: ✖ Invalid input: expected array, received string",
    "/.mcp.json: the server neither is ignored: wanted command (a program) or url (a server), found neither",
    "/.mcp.json: the server unset is ignored: these variables are not set: NOT_SET",
  ]);
});

test("a file that is not JSON is a warning", async () => {
  await using home = await trustedHome("no JSON");
  const { warnings } = await serversIn(home);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(".mcp.json is ignored: ");
});

test("a file that is far too large is a warning", async () => {
  await using home = await trustedHome(" ".repeat(2 ** 20 + 1));
  expect((await serversIn(home)).warnings).toEqual([
    `${home.cwd}/.mcp.json is ignored: it is larger than 1 MiB`,
  ]);
});
