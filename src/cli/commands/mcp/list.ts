import { RUN_OPTIONS } from "../../../config/flags.ts";
import { mcpTokensFile } from "../../../core/session/mcp-servers.ts";
import { type McpStatus, startMcp } from "../../../extensions/mcp/clients.ts";
import { readMcpServers } from "../../../extensions/mcp/config.ts";
import type { ExitCode, Io } from "../../../protocol/program.ts";
import { parseArgs } from "../../../util/args.ts";
import { helpText } from "../../../util/help.ts";
import { NAME, VERSION } from "../../../util/package.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { type Auth, authOf } from "./auth-state.ts";
import { type Configured, readConfigured, serverNamed } from "./configured.ts";
import { GET, LIST } from "./options.ts";
import { asJson, oneServer, table } from "./show.ts";

export async function listServers(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...LIST, options: [...LIST.options, ...RUN_OPTIONS] }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(LIST));
    return 0;
  }
  const configured = await readConfigured(parsed, io);
  const auth = await authOf(configured);
  const statuses = parsed.has("status") ? await statusesOf(configured, io) : new Map<string, McpStatus>();
  await io.stdout.write(
    parsed.has("json") ? jsonList(configured, auth, statuses) : textList(configured, auth, statuses),
  );
  return 0;
}

export async function getServer(argv: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArgs({ ...GET, options: [...GET.options, ...RUN_OPTIONS] }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(GET));
    return 0;
  }
  const [name = ""] = parsed.positionals;
  const configured = await readConfigured(parsed, io);
  const server = serverNamed(configured, name);
  const auth = (await authOf(configured)).get(name) ?? "unsupported";
  const text = parsed.has("json")
    ? `${JSON.stringify(asJson(name, server, auth), null, 2)}\n`
    : terminalSafe(oneServer(name, server, auth));
  await io.stdout.write(text);
  return 0;
}

/** A server that did not start in time says so itself, once it is ended. */
const ENDING_MS = 10_000;

type Statuses = ReadonlyMap<string, McpStatus>;

/** Starts every server that is switched on, as a session would, and ends it again. */
async function statusesOf({ config, servers }: Configured, io: Io): Promise<Statuses> {
  const values = Object.fromEntries([...servers].map(([name, server]) => [name, server.values]));
  const read = readMcpServers(values);
  const patient = new Map(
    [...read].map(([name, server]) => [
      name,
      { ...server, isRequired: false, patienceMs: server.startupMs + ENDING_MS },
    ]),
  );
  const isAirGapped = config.values.air_gapped;
  const tokensFile = mcpTokensFile(config);
  const known = { env: io.env, cwd: io.cwd, clientVersion: VERSION, tokensFile, isAirGapped };
  await using clients = await startMcp({ ...known, servers: patient, onWarning: () => {} }, io.signal);
  return new Map(clients.statuses().map((status) => [status.name, status]));
}

function jsonList({ servers }: Configured, auth: ReadonlyMap<string, Auth>, statuses: Statuses): string {
  const entries = [...servers].map(([name, server]) => {
    const status = statuses.get(name);
    return {
      ...asJson(name, server, auth.get(name) ?? "unsupported"),
      ...(status === undefined ? {} : { status: jsonStatus(status) }),
    };
  });
  return `${JSON.stringify(entries, null, 2)}\n`;
}

function jsonStatus({ state, reason, tools, prompts, hasResources, startedMs, renamed, faults }: McpStatus) {
  const found = { tools, prompts, resources: hasResources, renamed, faults };
  return { state, reason: reason || null, started_ms: startedMs, ...found };
}

function textList({ servers }: Configured, auth: ReadonlyMap<string, Auth>, statuses: Statuses): string {
  if (servers.size === 0)
    return `No MCP servers configured yet. Try \`${NAME} mcp add my-tool -- my-command\`.\n`;
  const rows = table(
    [...servers].map(([name, server]) => ({ name, server, auth: auth.get(name) ?? "unsupported" })),
  );
  const lines = [...servers.keys()].map((name, index) => [rows[index], ...statusLines(statuses.get(name))]);
  return terminalSafe(`${lines.flat().join("\n")}\n`);
}

function statusLines(status: McpStatus | undefined): string[] {
  if (status === undefined) return [];
  if (status.state !== "ready") return [`    ${status.state}: ${status.reason}`];
  const { tools, prompts, hasResources, renamed, faults } = status;
  return [
    `    ready after ${(status.startedMs / 1000).toFixed(1)} s, ${named("tool", tools)}`,
    ...(prompts.length === 0 ? [] : [`    ${named("prompt", prompts)}`]),
    ...(hasResources ? ["    has resources"] : []),
    ...renamed.map(({ tool, as }) => `    ${oneLine(tool)} is shown to the model as ${as}`),
    ...faults.map((fault) => `    warning: ${oneLine(fault)}`),
  ];
}

function named(what: string, names: readonly string[]): string {
  const count = names.length === 1 ? `1 ${what}` : `${names.length} ${what}s`;
  return names.length === 0 ? count : `${count}: ${names.map(oneLine).join(", ")}`;
}

/** Servers choose names; a line end in one would make a line of its own. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
