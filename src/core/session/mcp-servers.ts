import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.ts";
import type { McpClients } from "../../extensions/mcp/clients.ts";
import type { Asker } from "../../protocol/questions.ts";
import { VERSION } from "../../util/package.ts";

export type McpStart = {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Answers what servers want to know of a person. */
  asker?: Asker | undefined;
  warn(message: string): void;
  signal: AbortSignal;
};

/** Starts the configured MCP servers; without any, their code is not even loaded. Throws AppError "config". */
export async function startMcpServers({
  config,
  env,
  cwd,
  asker,
  warn,
  signal,
}: McpStart): Promise<McpClients | undefined> {
  if (!mayHaveServers(config)) return undefined;
  const [{ startMcp }, { readMcpServers }, { configuredServers }] = await Promise.all([
    import("../../extensions/mcp/clients.ts"),
    import("../../extensions/mcp/config.ts"),
    import("../../extensions/mcp/project-file.ts"),
  ]);
  const found = await configuredServers(config, env);
  const table = Object.fromEntries([...found.servers].map(([name, { values }]) => [name, values]));
  const servers = readMcpServers(table);
  for (const message of found.warnings) warn(message);
  const tokensFile = mcpTokensFile(config);
  const roots = config.values.sandbox_workspace_write.writable_roots.map((path) => resolve(cwd, path));
  const isAirGapped = config.values.air_gapped;
  const known = { servers, env, cwd, roots, tokensFile, asker, isAirGapped, clientVersion: VERSION };
  return startMcp({ ...known, onWarning: warn }, signal);
}

/** Where sign-ins at MCP servers are kept. */
export function mcpTokensFile({ home }: Pick<LoadedConfig, "home">): string {
  return join(home, "mcp-tokens.json");
}

function mayHaveServers({ values, trust, projectRoot }: LoadedConfig): boolean {
  if (Object.keys(values.mcp_servers).length > 0) return true;
  return trust === "trusted" && existsSync(join(projectRoot, ".mcp.json"));
}

/** Variables whose values are for MCP servers only. */
export function mcpSecrets(config: LoadedConfig): string[] {
  return Object.values(config.values.mcp_servers).flatMap((server) => {
    const { bearer_token_env_var: bearer, env_http_headers: headers, oauth } = server;
    const named = [bearer, oauth?.client_secret_env_var].filter((name) => name !== undefined);
    return [...named, ...Object.values(headers ?? {})];
  });
}
