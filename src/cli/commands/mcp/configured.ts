import { overridesFrom, type RunOption } from "../../../config/flags.ts";
import { type LoadedConfig, loadConfig } from "../../../config/load.ts";
import { type ConfiguredServer, configuredServers } from "../../../extensions/mcp/project-file.ts";
import type { Io } from "../../../protocol/program.ts";
import type { Parsed } from "../../../util/args.ts";
import { AppError } from "../../../util/errors.ts";
import { NAME } from "../../../util/package.ts";
import { terminalSafe } from "../../../util/untrusted-text.ts";

export type Configured = { config: LoadedConfig; servers: ReadonlyMap<string, ConfiguredServer> };

/** The servers that a session in this folder would have. Warnings go to stderr. */
export async function readConfigured(
  parsed: Pick<Parsed<RunOption>, "has" | "value" | "values">,
  io: Io,
): Promise<Configured> {
  const overrides = overridesFrom({ ...parsed, positionals: [], wantsHelp: false }, io.cwd);
  const config = await loadConfig({ env: io.env, cwd: io.cwd, overrides, profile: parsed.value("profile") });
  const { servers, warnings } = await configuredServers(config, io.env);
  for (const warning of [...config.warnings, ...warnings])
    await io.stderr.write(`warning: ${terminalSafe(warning)}\n`);
  return { config, servers };
}

export function serverNamed({ servers }: Configured, name: string): ConfiguredServer {
  const server = servers.get(name);
  if (server !== undefined) return server;
  throw new AppError("config", `No MCP server named '${name}' found.`, {
    hint: `'${NAME} mcp list' shows the ones that exist`,
  });
}
