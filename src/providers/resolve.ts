import type { Endpoint } from "../model/types.ts";
import type { WireApi } from "../protocol/items.ts";
import { trustedCertificates } from "./certificates.ts";
import { keySource, keyVariable } from "./credentials.ts";
import { type Client, keyHeader, requestHeaders } from "./headers.ts";
import { splitLogin } from "./login.ts";
import { configured, type FoundProvider, lookUpProvider } from "./lookup.ts";
import { cachedModel } from "./model-cache.ts";
import { modelInfo } from "./models.ts";
import { proxyFor } from "./proxy.ts";
import { quirksNamed } from "./quirk-sets.ts";
import { secretVariables } from "./secrets.ts";
import type { Env, ProviderValues } from "./settings.ts";
import type { Provider } from "./types.ts";

export type ResolveOptions = Client & {
  values: ProviderValues;
  id: string;
  env: Env;
  /** Speak the chat wire, whatever the provider prefers. */
  chatCompletions?: boolean;
  /** The program's own folder: what the provider's list of models said there is used. */
  home?: string;
};

const MOST_RETRIES = 100;

/** The provider of that id: configured, built in, or from the catalog. Throws AppError "config". */
export async function resolveProvider(options: ResolveOptions): Promise<Provider> {
  const { values, id, env, home } = options;
  if (id === "demo" && !configured(values, id)) {
    const { demoProvider } = await import("./demo/provider.ts");
    return demoProvider(secretVariables({}, values, env));
  }
  const lookedUp = await lookUpProvider(options);
  const found = { ...lookedUp, ...splitLogin(lookedUp.baseUrl) };
  const { settings, baseUrl, isLocal, defaultModel } = found;
  const wire = options.chatCompletions ? "chat" : (settings.wire_api ?? "responses");
  return {
    id,
    label: settings.name || id,
    wire,
    baseUrl,
    streamMaxRetries: Math.min(settings.stream_max_retries ?? 5, MOST_RETRIES),
    isLocal,
    defaultModel,
    secretVariables: secretVariables(settings, values, env),
    endpoint: endpointSource(found, wire, options),
    model: (name) =>
      modelInfo(name, {
        provider: id,
        isLocal,
        contextWindow: values.model_context_window,
        toolOutputLimit: values.tool_output_token_limit,
        listed: home === undefined ? undefined : cachedModel(home, { id, baseUrl }, name),
      }),
  };
}

type ProviderWithLogin = FoundProvider & { login?: string };

function endpointSource(
  found: ProviderWithLogin,
  wire: WireApi,
  options: ResolveOptions,
): (signal: AbortSignal) => Promise<Endpoint> {
  const { env, id } = options;
  const key = keySource(found.settings, id, env);
  let certificates: Promise<readonly string[] | undefined> | undefined;
  return async (signal) => {
    const proxy = proxyFor(found.baseUrl, env);
    if (options.values.air_gapped) {
      const { checkAirGap } = await import("./air-gap.ts");
      checkAirGap(id, found.baseUrl, proxy);
    }
    const apiKey = await key.current(signal);
    if (found.baseUrl.startsWith("https:")) certificates ??= trustedCertificates(env);
    const endpoint = endpointOf(found, wire, options);
    // A key goes where a login would go, unless it has a header of its own.
    const isFree = apiKey === undefined || endpoint.keyHeader !== undefined;
    const login: Record<string, string> = found.login && isFree ? { authorization: found.login } : {};
    return {
      ...endpoint,
      headers: { ...login, ...endpoint.headers },
      apiKey,
      renewKey: key.renew,
      proxy,
      certificates: await certificates,
    };
  };
}

function endpointOf(
  { settings, baseUrl, quirks }: FoundProvider,
  wire: WireApi,
  options: ResolveOptions,
): Endpoint {
  return {
    baseUrl,
    keyVariable: keyVariable(settings),
    keyHeader: keyHeader(settings, baseUrl),
    headers: requestHeaders(settings, wire, options, options.env),
    query: { ...settings.query_params },
    quirks: quirksNamed(quirks),
    idleTimeoutMs: settings.stream_idle_timeout_ms ?? 300_000,
    maxRetries: Math.min(settings.request_max_retries ?? 4, MOST_RETRIES),
  };
}
