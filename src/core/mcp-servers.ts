import type { LoadedConfig } from "../config/load.ts";
import type { McpClients } from "../extensions/mcp/clients.ts";
import { VERSION } from "../util/package.ts";

export type McpStart = {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  warn(message: string): void;
  signal: AbortSignal;
};

/** Starts the configured MCP servers; without any, their code is not even loaded. Throws AppError "config". */
export async function startMcpServers({
  config,
  env,
  cwd,
  warn,
  signal,
}: McpStart): Promise<McpClients | undefined> {
  const table = config.values.mcp_servers;
  if (Object.keys(table).length === 0) return undefined;
  const [{ startMcp }, { readMcpServers }] = await Promise.all([
    import("../extensions/mcp/clients.ts"),
    import("../extensions/mcp/config.ts"),
  ]);
  const { servers, warnings } = readMcpServers(table);
  for (const message of warnings) warn(message);
  return startMcp({ servers, env, cwd, clientVersion: VERSION, onWarning: warn }, signal);
}

/** Variables whose values are for MCP servers only. */
export function mcpSecrets(config: LoadedConfig): string[] {
  return Object.values(config.values.mcp_servers).flatMap((server) => {
    const { bearer_token_env_var: bearer, env_http_headers: headers } = server;
    return [...(bearer ? [bearer] : []), ...Object.values(headers ?? {})];
  });
}
