import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServerShape, type McpServerValues } from "../../../src/config/schema-mcp.ts";
import type { Problem } from "../../../src/config/shape.ts";
import { type McpClients, type McpOptions, startMcp } from "../../../src/extensions/mcp/clients.ts";
import { type McpServerConfig, readMcpServers } from "../../../src/extensions/mcp/config.ts";
import type { McpOutcome } from "../../../src/extensions/mcp/result.ts";

const SERVER = join(import.meta.dir, "..", "..", "fixtures", "mcp", "server.ts");

/** Configuration of the test server, started with modes like "noise". */
export function testServer(modes: readonly string[] = [], more: Record<string, unknown> = {}) {
  return { command: process.execPath, args: [SERVER, ...modes], ...more };
}

/** A table `mcp_servers` as a user writes it, read as the program reads it. */
export function serversOf(table: Record<string, unknown>): Map<string, McpServerConfig> {
  return readMcpServers(valuesOf(table));
}

function valuesOf(table: Record<string, unknown>): Record<string, McpServerValues> {
  const problems: Problem[] = [];
  const values = Object.entries(table).map(([name, entry]): [string, McpServerValues] => {
    const read = McpServerShape.read(entry, [name], problems);
    if (read === undefined) throw new Error(problems.map(({ message }) => message).join("; "));
    return [name, read];
  });
  return Object.fromEntries(values);
}

export type Started = { clients: McpClients; warnings: string[] } & AsyncDisposable;

export async function start(
  table: Record<string, unknown>,
  env: Record<string, string> = {},
  more: Pick<McpOptions, "asker" | "tokensFile" | "roots"> = {},
): Promise<Started> {
  const warnings: string[] = [];
  const clients = await startMcp(
    {
      servers: serversOf(table),
      env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), ...env },
      cwd: tmpdir(),
      clientVersion: "1.2.3",
      onWarning: (message) => warnings.push(message),
      ...more,
    },
    new AbortController().signal,
  );
  return { clients, warnings, [Symbol.asyncDispose]: () => clients.close() };
}

/** Calls and gives back what the server said, as one text. */
export async function callText(
  clients: McpClients,
  tool: string,
  input: unknown = {},
  signal = new AbortController().signal,
): Promise<string> {
  return outcomeText(await clients.call({ server: "t", tool: tool, input: input }, signal));
}

export function outcomeText(outcome: McpOutcome): string {
  if ("error" in outcome) return `error: ${outcome.error}`;
  return outcome.result.content.map((part) => (isText(part) ? part.text : JSON.stringify(part))).join("");
}

function isText(part: unknown): part is { text: string } {
  return typeof part === "object" && part !== null && "text" in part && typeof part.text === "string";
}
