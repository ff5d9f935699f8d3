import {
  anything,
  either,
  flag,
  type Infer,
  integer,
  listOf,
  oneOf,
  openTable,
  optional,
  positive,
  recordOf,
  table,
  text,
  withDefault,
  withRule,
} from "./shape.ts";

const ApprovalMode = oneOf("auto", "prompt", "writes", "approve");
const EnvVariable = either(
  "the name of a variable, or a table with name and source",
  text,
  table({ name: text, source: optional(text) }),
);

/** Keys of programs that share this file; nothing here reads them. */
const SHARED_KEYS = {
  auth: optional(oneOf("oauth", "chatgpt")),
  environment_id: optional(text),
  omit_tools_from: optional(listOf(text)),
};

/** `[mcp_servers.<name>]`: a program (`command`) or an address (`url`). */
export const McpServerShape = withRule(
  table({
    command: optional(text),
    args: optional(listOf(text)),
    env: optional(recordOf(text)),
    env_vars: optional(listOf(EnvVariable)),
    cwd: optional(text),
    url: optional(text),
    /** How the address is spoken to; found out when it is left out. */
    transport: optional(oneOf("http", "sse")),
    bearer_token_env_var: optional(text),
    http_headers: optional(recordOf(text)),
    env_http_headers: optional(recordOf(text)),
    http_headers_helper: optional(either("a command: a string or a list of strings", text, listOf(text))),
    enabled: withDefault(flag, true),
    required: withDefault(flag, false),
    startup_timeout_sec: optional(positive),
    startup_timeout_ms: optional(integer(1)),
    tool_timeout_sec: optional(positive),
    enabled_tools: optional(listOf(text)),
    disabled_tools: optional(listOf(text)),
    default_tools_approval_mode: optional(ApprovalMode),
    tools: optional(recordOf(openTable({ approval_mode: optional(ApprovalMode) }))),
    supports_parallel_tool_calls: withDefault(flag, false),
    scopes: optional(listOf(text)),
    oauth: optional(
      table({
        client_id: optional(text),
        client_secret_env_var: optional(text),
        grant: optional(oneOf("authorization_code", "client_credentials")),
        callback_port: optional(integer(1)),
      }),
    ),
    oauth_resource: optional(text),
    /** Refused below: a secret does not belong in this file. */
    bearer_token: optional(anything),
    ...SHARED_KEYS,
  }),
  (server) => {
    if (server.bearer_token !== undefined) {
      const remedy = "put the token in an environment variable and name it in bearer_token_env_var";
      return { key: "bearer_token", message: `bearer_token is not read; ${remedy}` };
    }
    if (server.url === undefined && server.command === undefined) {
      return { key: "command", message: "wanted command (a program) or url (a server), found neither" };
    }
    const isUrl = server.url !== undefined;
    const misplaced = (isUrl ? PROGRAM_KEYS : URL_KEYS).find((key) => server[key] !== undefined);
    if (misplaced === undefined) return undefined;
    return {
      key: misplaced,
      message: `${misplaced} cannot be used together with ${isUrl ? "url" : "command"}`,
    };
  },
);

export type McpServerValues = Infer<typeof McpServerShape>;

const PROGRAM_KEYS = ["command", "args", "env", "env_vars", "cwd"] as const;
const URL_KEYS = [
  "transport",
  "bearer_token_env_var",
  "http_headers",
  "env_http_headers",
  "http_headers_helper",
  "oauth",
  "oauth_resource",
  "scopes",
] as const;
