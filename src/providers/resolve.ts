import type { Endpoint } from "../model/types.ts";
import type { WireApi } from "../protocol/items.ts";
import { keySource } from "./credentials.ts";
import { type Client, isAnthropic, requestHeaders } from "./headers.ts";
import { configured, type FoundProvider, lookUpProvider } from "./lookup.ts";
import { modelInfo } from "./models.ts";
import { secretVariables } from "./secrets.ts";
import type { Env, ProviderValues } from "./settings.ts";
import type { Provider } from "./types.ts";

export type ResolveOptions = Client & {
  values: ProviderValues;
  id: string;
  env: Env;
  /** Speak the chat wire, whatever the provider prefers. */
  chatCompletions?: boolean;
};

const MOST_RETRIES = 100;

/** The provider of that id: configured, built in, or from the catalog. Throws AppError "config". */
export async function resolveProvider(options: ResolveOptions): Promise<Provider> {
  const { values, id, env } = options;
  if (id === "demo" && !configured(values, id)) {
    const { demoProvider } = await import("./demo/provider.ts");
    return demoProvider(secretVariables({}, values, env));
  }
  const found = await lookUpProvider(options);
  const { settings, isLocal, defaultModel } = found;
  const wire = options.chatCompletions ? "chat" : (settings.wire_api ?? "responses");
  const key = keySource(settings, env);
  return {
    id,
    label: settings.name || id,
    wire,
    streamMaxRetries: Math.min(settings.stream_max_retries ?? 5, MOST_RETRIES),
    defaultModel,
    secretVariables: secretVariables(settings, values, env),
    endpoint: async (signal) => ({ ...endpointOf(found, wire, options), apiKey: await key(signal) }),
    model: (name) =>
      modelInfo(name, {
        isLocal,
        contextWindow: values.model_context_window,
        toolOutputLimit: values.tool_output_token_limit,
      }),
  };
}

function endpointOf({ settings, baseUrl }: FoundProvider, wire: WireApi, options: ResolveOptions): Endpoint {
  return {
    baseUrl,
    keyVariable: settings.env_key ?? (settings.requires_openai_auth ? "OPENAI_API_KEY" : undefined),
    headers: requestHeaders(settings, wire, options, options.env),
    query: { ...settings.query_params },
    quirks: {},
    idleTimeoutMs: settings.stream_idle_timeout_ms ?? 300_000,
    maxRetries: Math.min(settings.request_max_retries ?? 4, MOST_RETRIES),
    ...(isAnthropic(settings) ? { keyHeader: "x-api-key" } : {}),
  };
}
