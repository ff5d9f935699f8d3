import {
  closedTable,
  flag,
  integer,
  listOf,
  oneOf,
  optional,
  recordOf,
  text,
  withDefault,
  withRule,
} from "./shape.ts";

const TokenCommand = withRule(
  closedTable({
    command: text,
    args: withDefault(listOf(text), []),
    timeout_ms: withDefault(integer(1), 5000),
    /** 0: asked once. */
    refresh_interval_ms: withDefault(integer(0), 300_000),
    cwd: optional(text),
  }),
  ({ command }) =>
    command.trim() === ""
      ? { key: "command", message: "wanted a command, found an empty string" }
      : undefined,
);

/** Keys of programs that share this file; nothing here reads them. */
const SHARED_KEYS = {
  websocket_connect_timeout_ms: optional(integer(0)),
  supports_websockets: optional(flag),
  supports_standalone_web_search: optional(flag),
};

/** `[model_providers.<id>]`. Every key is optional, so that a part can come from another layer. */
export const ProviderShape = withRule(
  closedTable({
    name: optional(text),
    base_url: optional(text),
    env_key: optional(text),
    env_key_instructions: optional(text),
    experimental_bearer_token: optional(text),
    auth: optional(TokenCommand),
    aws: optional(closedTable({ profile: optional(text), region: optional(text) })),
    wire_api: optional(oneOf("responses", "chat", "messages", "ollama")),
    query_params: optional(recordOf(text)),
    http_headers: optional(recordOf(text)),
    env_http_headers: optional(recordOf(text)),
    request_max_retries: optional(integer(0)),
    stream_max_retries: optional(integer(0)),
    stream_idle_timeout_ms: optional(integer(0)),
    requires_openai_auth: optional(flag),
    ...SHARED_KEYS,
  }),
  (provider) => {
    for (const [key, excluded] of CONFLICTS) {
      // A switch that is off does not conflict.
      const other = excluded.find((name) => provider[name] !== undefined && provider[name] !== false);
      if (provider[key] === undefined || other === undefined) continue;
      return { key: other, message: `${key} and ${other} cannot be used together` };
    }
    return undefined;
  },
);

const CONFLICTS = [
  ["aws", ["env_key", "experimental_bearer_token", "auth", "requires_openai_auth", "supports_websockets"]],
  ["auth", ["env_key", "experimental_bearer_token", "requires_openai_auth"]],
] as const;
