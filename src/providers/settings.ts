import type { WireApi } from "../protocol/items.ts";

/** A table `[model_providers.ID]` of config.toml, with the names it has there. Times are in ms. */
export type ProviderSettings = {
  name?: string;
  base_url?: string;
  wire_api?: WireApi;
  env_key?: string;
  env_key_instructions?: string;
  experimental_bearer_token?: string;
  auth?: KeyCommand;
  aws?: unknown;
  query_params?: Readonly<Record<string, string>>;
  http_headers?: Readonly<Record<string, string>>;
  env_http_headers?: Readonly<Record<string, string>>;
  request_max_retries?: number;
  stream_max_retries?: number;
  stream_idle_timeout_ms?: number;
  requires_openai_auth?: boolean;
};

/** A program that prints a bearer token. `refresh_interval_ms` 0 keeps the first token for good. */
export type KeyCommand = {
  command: string;
  args?: readonly string[];
  timeout_ms?: number;
  refresh_interval_ms?: number;
  cwd?: string;
};

/** The part of the configuration that says where requests go. */
export type ProviderValues = {
  model_providers?: Readonly<Record<string, ProviderSettings>>;
  openai_base_url?: string;
  /** Nothing may leave this machine and its own network. */
  air_gapped?: boolean;
  /** Tokens. */
  model_context_window?: number;
  /** Tokens. */
  tool_output_token_limit?: number;
};

export type Env = Readonly<Record<string, string | undefined>>;

/** What a variable holds, or undefined when it is unset or blank. */
export function nonBlank(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value ? value : undefined;
}
