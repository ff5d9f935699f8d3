import type { McpServerValues } from "../../config/schema-mcp.ts";

/** When a person is asked before a tool runs: by its hints, always, unless it only reads, never. */
export type ApprovalMode = NonNullable<McpServerValues["default_tools_approval_mode"]>;

type ProgramReach = {
  kind: "program";
  argv: string[];
  /** Values set by the user. */
  env: Readonly<Record<string, string>>;
  /** Names of variables that are passed on from our own environment. */
  passedOn: readonly string[];
  cwd?: string;
};
export type AddressReach = {
  kind: "address";
  url: string;
  /** Only the old way, an event stream of its own, or only the new one; both are tried when absent. */
  transport?: "http" | "sse";
  headers: Readonly<Record<string, string>>;
  /** A program that prints more of them. */
  headersHelper?: string | readonly string[];
  /** Header name to the variable that holds its value. */
  headerVariables: Readonly<Record<string, string>>;
  tokenVariable?: string;
  /** The variable with the secret of our client id at the authority. */
  secretVariable?: string;
};

export type McpServerConfig = {
  reach: ProgramReach | AddressReach;
  isEnabled: boolean;
  /** The session does not start without it. */
  isRequired: boolean;
  /** How long it may take to start. */
  startupMs: number;
  /** How long the first request to the model waits for it. */
  patienceMs: number;
  toolTimeoutMs: number;
  /** Only these tools are offered, by the server's own names; all of them when absent. */
  enabledTools?: readonly string[];
  disabledTools: readonly string[];
  approval: { other: ApprovalMode; byTool: Readonly<Record<string, ApprovalMode | undefined>> };
  isParallel: boolean;
};

const STARTUP_MS = 30_000;
const PATIENCE_MS = 10_000;
const TOOL_TIMEOUT_SEC = 300;

/** The table `mcp_servers` of the configuration, which has been checked, as this folder uses it. */
export function readMcpServers(
  table: Readonly<Record<string, McpServerValues>>,
): Map<string, McpServerConfig> {
  return new Map(Object.entries(table).map(([name, values]) => [name, readServer(values)]));
}

function readServer(values: McpServerValues): McpServerConfig {
  const { startup_timeout_sec: seconds, enabled_tools: enabledTools, tools = {} } = values;
  const ownMs = seconds === undefined ? values.startup_timeout_ms : seconds * 1000;
  const startupMs = ownMs ?? STARTUP_MS;
  return {
    reach: readReach(values),
    isEnabled: values.enabled,
    isRequired: values.required,
    startupMs,
    // Without a number of the user's own, a slow server (a package that is still being downloaded) may go on starting
    // while the first request is under way.
    patienceMs: values.required ? startupMs : (ownMs ?? PATIENCE_MS),
    toolTimeoutMs: (values.tool_timeout_sec ?? TOOL_TIMEOUT_SEC) * 1000,
    ...(enabledTools === undefined ? {} : { enabledTools }),
    disabledTools: values.disabled_tools ?? [],
    approval: {
      other: values.default_tools_approval_mode ?? "auto",
      byTool: Object.fromEntries(
        Object.entries(tools).map(([tool, { approval_mode: mode }]) => [tool, mode]),
      ),
    },
    isParallel: values.supports_parallel_tool_calls,
  };
}

function readReach(values: McpServerValues): ProgramReach | AddressReach {
  const { command, url, cwd, bearer_token_env_var: tokenVariable, oauth } = values;
  const { http_headers_helper: headersHelper } = values;
  const secretVariable = oauth?.client_secret_env_var;
  if (command === undefined)
    return {
      kind: "address",
      url: url ?? "",
      ...(values.transport === undefined ? {} : { transport: values.transport }),
      headers: values.http_headers ?? {},
      headerVariables: values.env_http_headers ?? {},
      ...(headersHelper === undefined ? {} : { headersHelper }),
      ...(tokenVariable === undefined ? {} : { tokenVariable }),
      ...(secretVariable === undefined ? {} : { secretVariable }),
    };
  return {
    kind: "program",
    argv: [command, ...(values.args ?? [])],
    env: values.env ?? {},
    passedOn: (values.env_vars ?? []).map((one) => (typeof one === "string" ? one : one.name)),
    ...(cwd === undefined ? {} : { cwd }),
  };
}
