import { join } from "node:path";
import { tempHome } from "../../support/home.ts";
import { startBridge } from "./bridge.ts";
import { HOW_TO_INSTALL, installedProgram } from "./installed.ts";
import { KNOWN_FAILURES } from "./known-failures.ts";

/**
 * The official MCP suite against this program, as a client (`exec`, `mcp login`, `acp`) and as a server (`mcp-server`), on
 * loopback alone. `bun test/conformance/mcp/run.ts [WORD]`: only the scenarios with WORD in their names.
 */
const only = process.argv[2] ?? "";
const suite = installedProgram("conformance");
if (suite === undefined) {
  say(`skipped: the suite is not installed; ${HOW_TO_INSTALL}`);
  process.exit(0);
}
await using home = await tempHome();
await using bridge = startBridge(home.env, home.cwd);
const client = ["client", "--command", `bun ${join(import.meta.dir, "client.ts")}`, "--timeout", "60000"];
const server = ["server", "--url", bridge.url];
const { clients, servers } = await scenarios(suite);
const counts = { passed: 0, known: 0, wrong: 0 };
for (const name of clients) await judge(name, [...client, "--scenario", name]);
for (const name of servers) await judge(name, [...server, "--scenario", name]);
say(`${counts.passed} passed, ${counts.known} known failures, ${counts.wrong} unexpected`);
process.exitCode = counts.wrong === 0 ? 0 : 1;

async function scenarios(program: string): Promise<{ clients: string[]; servers: string[] }> {
  const { output } = await start([program, "list"]);
  const [before = "", after = ""] = output.split("Client scenarios");
  const names = (text: string) => [...text.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
  const isWanted = (name: string) => name.includes(only);
  return { clients: names(after).filter(isWanted), servers: names(before).filter(isWanted) };
}

async function judge(name: string, args: readonly string[]): Promise<void> {
  const { exitCode, output } = await start([suite ?? "", ...args]);
  const known = KNOWN_FAILURES[name];
  if (exitCode === 0 && known === undefined) counts.passed += 1;
  else if (exitCode !== 0 && known !== undefined) counts.known += 1;
  else counts.wrong += 1;
  if (exitCode === 0) say(known === undefined ? `ok    ${name}` : `WRONG ${name} passes, but is listed`);
  else say(known === undefined ? `FAIL  ${name}\n${output}` : `known ${name}: ${known}`);
}

/** The suite needs a newer Node.js than ours, or Bun. It leaves its results in the folder that it is started in. */
async function start(argv: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const child = Bun.spawn([process.execPath, "--bun", ...argv], {
    cwd: home.cwd,
    env: process.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  return { exitCode: await child.exited, output: texts.join("") };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
