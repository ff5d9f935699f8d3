import type { WireApi } from "../protocol/items.ts";
import { keyOrigin } from "./credentials.ts";
import { type Env, nonBlank, type ProviderSettings } from "./settings.ts";

export type Client = {
  /** Who we say we are, e.g. `interpreter_exec`. */
  originator: string;
  version: string;
  /** Asked at each request: which thread is gone on with is known only later. */
  sessionId?: () => string;
};

const ANTHROPIC_VERSION = "2023-06-01";

/** Headers of every request to a provider, apart from the key. What the user configured wins over what we say. */
export function requestHeaders(
  settings: ProviderSettings,
  wire: WireApi,
  client: Client,
  env: Env,
): Record<string, string> {
  const headers = new Map<string, [name: string, value: string]>();
  const set = (name: string, value: string) => headers.set(name.toLowerCase(), [name, value]);
  const originator = originatorOf(client, env);
  set("User-Agent", `${originator}/${client.version} (${process.platform}; ${process.arch}) interpreter`);
  if (wire !== "messages") set("originator", originator);
  const sessionId = wire === "responses" ? client.sessionId?.() : undefined;
  if (sessionId) {
    for (const name of ["session-id", "thread-id", "x-client-request-id"]) set(name, sessionId);
  }
  if (isAnthropic(settings)) set("anthropic-version", ANTHROPIC_VERSION);
  for (const [name, value] of Object.entries(settings.http_headers ?? {})) set(name, value);
  for (const [name, variable] of Object.entries(settings.env_http_headers ?? {})) {
    const value = nonBlank(env, variable);
    if (value) set(name, value);
  }
  return Object.fromEntries(headers.values());
}

/** The header that takes the key, where that is not `Authorization`. */
export function keyHeader(settings: ProviderSettings, baseUrl: string): string | undefined {
  if (isAnthropic(settings)) return "x-api-key";
  // Azure wants a token, which only a program can get, in the usual header.
  return isAzure(baseUrl) && keyOrigin(settings).from !== "command" ? "api-key" : undefined;
}

function isAzure(baseUrl: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  return /\.(openai|cognitiveservices|services\.ai)\.azure\.com$/.test(host);
}

function isAnthropic({ name, base_url }: ProviderSettings): boolean {
  return name?.toLowerCase() === "anthropic" || base_url?.includes("api.anthropic.com") === true;
}

// Programs that start us through an SDK name themselves in this variable.
function originatorOf(client: Client, env: Env): string {
  const override = nonBlank(env, "CODEX_INTERNAL_ORIGINATOR_OVERRIDE");
  return override && /^[\x21-\x7e]+$/.test(override) ? override : client.originator;
}
