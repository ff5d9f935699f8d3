import { z } from "zod";
import { AppError } from "../../util/errors.ts";

/** When a person is asked before a tool runs: by its hints, always, unless it only reads, never. */
const ApprovalMode = z.enum(["auto", "prompt", "writes", "approve"]);
export type ApprovalMode = z.infer<typeof ApprovalMode>;

const Seconds = z.number().positive();
const Names = z.array(z.string());
const Strings = z.record(z.string(), z.string());
const EnvVar = z.union([z.string(), z.looseObject({ name: z.string() }).transform(({ name }) => name)]);

const common = {
  enabled: z.boolean().default(true),
  /** The session does not start without it. */
  required: z.boolean().default(false),
  startup_timeout_sec: Seconds.optional(),
  startup_timeout_ms: Seconds.optional(),
  tool_timeout_sec: Seconds.default(300),
  enabled_tools: Names.optional(),
  disabled_tools: Names.default([]),
  default_tools_approval_mode: ApprovalMode.default("auto"),
  tools: z.record(z.string(), z.looseObject({ approval_mode: ApprovalMode.optional() })).default({}),
  supports_parallel_tool_calls: z.boolean().default(false),
};
const stdio = {
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: Strings.default({}),
  /** Names of variables that are passed on from our own environment. */
  env_vars: z.array(EnvVar).default([]),
  cwd: z.string().optional(),
};
const http = {
  url: z.url({ protocol: /^https?$/ }),
  bearer_token_env_var: z.string().optional(),
  http_headers: Strings.default({}),
  /** Header name to the variable that holds its value. */
  env_http_headers: Strings.default({}),
};
const StdioServer = z.looseObject({ ...common, ...stdio });
const HttpServer = z.looseObject({ ...common, ...http });

export type StdioServerConfig = z.infer<typeof StdioServer>;
export type HttpServerConfig = z.infer<typeof HttpServer>;
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** Keys of configurations made for other programs. They change nothing here, so nobody is warned about them. */
const SILENT_KEYS = new Set([
  "auth",
  "environment_id",
  "oauth",
  "oauth_resource",
  "omit_tools_from",
  "scopes",
]);

export function isStdio(config: McpServerConfig): config is StdioServerConfig {
  return "command" in config;
}

/** Reads the table `mcp_servers`. Throws AppError "config" for a server that can't be understood. */
export function readMcpServers(table: unknown): {
  servers: Map<string, McpServerConfig>;
  warnings: string[];
} {
  const servers = new Map<string, McpServerConfig>();
  const warnings: string[] = [];
  const entries = z.record(z.string().min(1), z.looseObject({})).safeParse(table ?? {});
  if (!entries.success) throw wrong("mcp_servers", "wanted one table for each server", "[mcp_servers.NAME]");
  for (const [name, entry] of Object.entries(entries.data)) {
    const { config, known } = readServer(name, entry);
    servers.set(name, config);
    const unknown = Object.keys(entry).filter((key) => !(key in known) && !SILENT_KEYS.has(key));
    warnings.push(...unknown.map((key) => `unknown configuration key mcp_servers.${name}.${key}`));
  }
  return { servers, warnings };
}

function readServer(
  name: string,
  entry: Record<string, unknown>,
): { config: McpServerConfig; known: Record<string, unknown> } {
  const at = `mcp_servers.${name}`;
  if ("bearer_token" in entry)
    throw wrong(`${at}.bearer_token`, "a token does not belong in the file", "use bearer_token_env_var");
  const isLocal = "command" in entry;
  if (!isLocal && !("url" in entry)) throw wrong(at, "neither command nor url is set", "set one of them");
  const foreign = Object.keys(isLocal ? http : stdio).find((key) => key in entry);
  if (foreign !== undefined)
    throw wrong(`${at}.${foreign}`, `does not go with ${isLocal ? "command" : "url"}`, "remove one of them");
  const known = isLocal ? StdioServer : HttpServer;
  const parsed = known.safeParse(entry);
  if (!parsed.success) throw wrong(at, z.prettifyError(parsed.error), "see docs/mcp.md for the keys");
  return { config: parsed.data, known: known.shape };
}

function wrong(key: string, problem: string, hint: string): AppError {
  return new AppError("config", `${key}: ${problem}`, { hint });
}

/**
 * How long a server may take to start, and how long the first request waits for it. Without a number of the user's own
 * the first request goes out after ten seconds, while a slow server (a package that is still being downloaded) goes on.
 */
export function startupLimits(config: McpServerConfig): { timeoutMs: number; waitMs: number } {
  const own =
    config.startup_timeout_sec === undefined ? config.startup_timeout_ms : config.startup_timeout_sec * 1000;
  const timeoutMs = own ?? 30_000;
  return { timeoutMs, waitMs: config.required ? timeoutMs : (own ?? 10_000) };
}
