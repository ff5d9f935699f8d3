import { expect, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { runChoice } from "../../../src/cli/run.ts";
import { type TempHome, tempHome } from "../../support/home.ts";
import { startOauthServer } from "../../support/oauth-server.ts";

const SERVER = join(import.meta.dir, "..", "..", "fixtures", "mcp", "server.ts");

/** `interpreter mcp …` in this process. `onText` sees stdout as it comes. */
async function mcp(home: TempHome, args: readonly string[], onText: (text: string) => void = () => {}) {
  const out: string[] = [];
  const err: string[] = [];
  const sink = (lines: string[], then: (text: string) => void = () => {}) => ({
    isTty: false,
    columns: 80,
    async write(text: string) {
      lines.push(text);
      then(text);
    },
  });
  const exitCode = await runChoice(
    { kind: "program", program: "mcp", argv: args },
    {
      stdin: { isTty: false, stream: () => new Blob([]).stream() },
      stdout: sink(out, onText),
      stderr: sink(err),
      env: home.env,
      cwd: home.cwd,
      signal: new AbortController().signal,
    },
  );
  return { exitCode, stdout: out.join(""), stderr: err.join("") };
}

const configOf = (home: TempHome) => readFile(join(home.path, "config.toml"), "utf8");

test("a server is added and removed, and the comments of config.toml stay", async () => {
  await using home = await tempHome();
  await home.write("~/config.toml", '# mine\nmodel = "m" # small\n');
  const added = await mcp(home, ["add", "docs", "--env", "A=b=c", "--", "docs-server", "-p", "1"]);
  expect(added).toEqual({ exitCode: 0, stdout: "Added global MCP server 'docs'.\n", stderr: "" });
  expect(await configOf(home)).toBe(
    '# mine\nmodel = "m" # small\n\n[mcp_servers.docs]\ncommand = "docs-server"\nargs = ["-p", "1"]\nenv = { A = "b=c" }\n',
  );
  const removed = await mcp(home, ["remove", "docs"]);
  expect(removed.stdout).toBe("Removed global MCP server 'docs'.\n");
  expect((await configOf(home)).trimEnd()).toBe('# mine\nmodel = "m" # small');
  expect(await mcp(home, ["remove", "docs"])).toEqual({
    exitCode: 0,
    stdout: "No MCP server named 'docs' found.\n",
    stderr: "",
  });
});

test("an address is added with the variable of its token, and replaces the program of that name", async () => {
  await using home = await tempHome();
  await mcp(home, ["add", "docs", "--", "docs-server"]);
  const { stdout } = await mcp(home, [
    "add",
    "docs",
    "--url",
    "https://docs.example/mcp",
    "--bearer-token-env-var",
    "DOCS_TOKEN",
  ]);
  expect(stdout).toBe("Added global MCP server 'docs'.\n");
  expect((await configOf(home)).trimStart()).toBe(
    '[mcp_servers.docs]\nurl = "https://docs.example/mcp"\nbearer_token_env_var = "DOCS_TOKEN"\n',
  );
});

test("an address is added with all that a sign-in there needs", async () => {
  await using home = await tempHome();
  const oauth = ["--oauth-client-id", "app", "--oauth-client-secret-env-var", "S", "--transport", "sse"];
  await mcp(home, ["add", "docs", "--url", "https://docs.example/mcp", ...oauth]);
  expect((await configOf(home)).trimStart()).toBe(
    '[mcp_servers.docs]\nurl = "https://docs.example/mcp"\ntransport = "sse"\noauth = { client_id = "app", client_secret_env_var = "S" }\n',
  );
  expect((await mcp(home, ["get", "docs"])).stdout).toContain("transport: sse");
});

test.each([
  [["add", "two words", "--", "x"], "invalid server name 'two words'"],
  [["add", "x"], "wanted a program after -- or an address with --url"],
  [["add", "x", "--url", "https://a.example", "--", "y"], "not both"],
  [["add", "x"], "found neither"],
  [["add", "x", "--url", "file:///etc/passwd"], "wanted http:// or https://"],
  [["add", "x", "--env", "A", "--", "y"], "wanted a name, = and a value"],
  [["add", "x", "--bearer-token-env-var", "T", "--", "y"], "is for servers with --url only"],
  [["get", "x"], "No MCP server named 'x' found."],
  [["login", "x"], "No MCP server named 'x' found."],
  [[], "wanted one of list, get, add"],
])("%j is refused with the reason", async (args, words) => {
  await using home = await tempHome();
  const { exitCode, stderr } = await mcp(home, args);
  expect(exitCode).toBeGreaterThan(0);
  expect(stderr).toContain(words);
});

test("the list shows each server on a line; without any it says how to begin", async () => {
  await using home = await tempHome();
  expect((await mcp(home, ["list"])).stdout).toBe(
    "No MCP servers configured yet. Try `interpreter mcp add my-tool -- my-command`.\n",
  );
  await home.write(
    "~/config.toml",
    '[mcp_servers.docs]\ncommand = "docs-server"\nargs = ["-p", "1"]\n[mcp_servers.web]\nurl = "https://a.example/mcp"\nenabled = false\n',
  );
  expect((await mcp(home, ["list"])).stdout).toBe(
    "docs  enabled   -              docs-server -p 1\nweb   disabled  not logged in  https://a.example/mcp\n",
  );
});

test("a server is shown without the values of its variables; JSON has everything", async () => {
  await using home = await tempHome();
  await mcp(home, ["add", "docs", "--env", "KEY=hidden-value", "--", "docs-server"]);
  expect((await mcp(home, ["get", "docs"])).stdout).toBe(
    "docs\n  enabled: true\n  source: config.toml\n  transport: stdio\n  command: docs-server\n  args: -\n  cwd: -\n  env: KEY=*****\n  remove: interpreter mcp remove docs\n",
  );
  expect(JSON.parse((await mcp(home, ["get", "docs", "--json"])).stdout)).toEqual({
    name: "docs",
    enabled: true,
    source: "config.toml",
    transport: {
      type: "stdio",
      command: "docs-server",
      args: [],
      env: { KEY: "hidden-value" },
      env_vars: [],
      cwd: null,
    },
    enabled_tools: null,
    disabled_tools: null,
    startup_timeout_sec: null,
    tool_timeout_sec: null,
    auth_status: "unsupported",
  });
});

test("the status of a server is found out by starting it", async () => {
  await using home = await tempHome();
  await mcp(home, ["add", "good", "--", process.execPath, SERVER, "odd", "noise"]);
  await mcp(home, ["add", "bad", "--", process.execPath, SERVER, "refuse"]);
  const { stdout, exitCode } = await mcp(home, ["list", "--status"]);
  const lines = stdout.split("\n");
  const long = "x".repeat(80);
  expect(exitCode).toBe(0);
  expect(lines.slice(1, -1).map((line) => line.replace(/\d+\.\d s/, "N s"))).toEqual([
    `    ready after N s, 4 tools: no.dots/or slashes, ${long}, a b, a.b`,
    "    no.dots/or slashes is shown to the model as mcp__good__no_dots_or_slashes",
    `    ${long} is shown to the model as mcp__good__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_2f0c2ef79cd3`,
    "    a b is shown to the model as mcp__good__a_b",
    expect.stringContaining("    a.b is shown to the model as mcp__good__a_b_"),
    "    warning: an entry of its tool list is left out: it is not a tool with a name of at most 256 characters",
    "    warning: a line of its output was not a message, and was left out",
    expect.stringMatching(/^bad /),
    "    failed: it exited with code 3; its last words: no license found",
  ]);
  const listed = JSON.parse((await mcp(home, ["list", "--status", "--json"])).stdout);
  expect(listed.map(({ status }: { status: { state: string } }) => status.state)).toEqual([
    "ready",
    "failed",
  ]);
});

test("servers of the project's .mcp.json are listed once the project is trusted", async () => {
  await using home = await tempHome();
  await home.write(".git/HEAD", "");
  await home.write(".mcp.json", JSON.stringify({ mcpServers: { shared: { command: "tool", args: ["x"] } } }));
  expect((await mcp(home, ["list"])).stdout).toStartWith("No MCP servers configured yet.");
  await home.write("~/config.toml", `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`);
  expect((await mcp(home, ["list"])).stdout).toBe("shared  enabled  -  tool x (from .mcp.json)\n");
});

test("a sign-in by browser is kept in a private file, used by the server's start, and forgotten", async () => {
  await using home = await tempHome();
  await using server = startOauthServer();
  await mcp(home, ["add", "closed", "--url", server.url]);
  let page: Promise<string> | undefined;
  const { exitCode, stdout, stderr } = await mcp(home, ["login", "closed"], (text) => {
    // What the person's browser does.
    const address = /http:\/\/\S+\/authorize\S+/.exec(text)?.[0];
    if (address !== undefined) page = fetch(address).then((response) => response.text());
  });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toEndWith("Successfully logged in to MCP server 'closed'.\n");
  expect(await page).toBe("Signed in. This window can be closed.");
  expect((await stat(join(home.path, "mcp-tokens.json"))).mode & 0o777).toBe(0o600);
  const listed = await mcp(home, ["list", "--status"]);
  expect(listed.stdout).toContain("signed in");
  expect(listed.stdout).toMatch(/ready after \d+\.\d s, 1 tool: secret_tool/);
  expect((await mcp(home, ["logout", "closed"])).stdout).toBe("Removed OAuth credentials for 'closed'.\n");
  expect((await mcp(home, ["logout", "closed"])).stdout).toBe("No OAuth credentials stored for 'closed'.\n");
  expect((await mcp(home, ["list", "--status"])).stdout).toContain(
    "failed: it wants a valid sign-in (HTTP 401)",
  );
});

test("a program can't be signed in to", async () => {
  await using home = await tempHome();
  await mcp(home, ["add", "docs", "--", "docs-server"]);
  expect((await mcp(home, ["login", "docs"])).stderr).toContain("'docs' is a program");
});

test.each(["list", "get", "add", "remove", "login", "logout"])("mcp %s explains itself", async (action) => {
  await using home = await tempHome();
  const { exitCode, stdout } = await mcp(home, [action, "--help"]);
  expect([exitCode, stdout.includes(`Usage: interpreter mcp ${action}`)]).toEqual([0, true]);
});
