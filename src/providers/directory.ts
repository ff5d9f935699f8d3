import type { WireApi } from "../protocol/items.ts";
import { toAppError } from "../util/errors.ts";
import { isLoopback } from "../util/near-address.ts";
import { catalogIds } from "./catalog.ts";
import { type KeyOrigin, keyOrigin, keyVariable, storedKey } from "./credentials.ts";
import { lookUpProvider } from "./lookup.ts";
import type { Env, ProviderValues } from "./settings.ts";

/** A provider as it is listed. No key is in it, nor anything else that is secret. */
export type ProviderFacts = {
  id: string;
  name: string;
  wire: WireApi;
  /** Without a user name, password or query. */
  baseUrl: string;
  keyFrom: KeyOrigin["from"];
  keyVariable?: string;
  /** Nothing is missing: the key is there, a program prints it, or none is needed. */
  isReady: boolean;
  /** On this machine. */
  isLocal: boolean;
  defaultModel?: string;
  /** The user's configuration has a table for it. */
  isConfigured: boolean;
};
export type BrokenProvider = { id: string; problem: string };

/** Every provider that can be named, sorted by id; those whose configuration is at fault apart. */
export async function listProviders(
  values: ProviderValues,
  env: Env,
): Promise<{ providers: ProviderFacts[]; broken: BrokenProvider[] }> {
  const configured = Object.keys(values.model_providers ?? {});
  const ids = [...new Set([...catalogIds(), ...configured])].sort();
  const providers: ProviderFacts[] = [];
  const broken: BrokenProvider[] = [];
  for (const id of ids) {
    try {
      providers.push(await factsOf(id, values, env, configured.includes(id)));
    } catch (cause) {
      broken.push({ id, problem: toAppError(cause).message });
    }
  }
  return { providers, broken };
}

async function factsOf(
  id: string,
  values: ProviderValues,
  env: Env,
  isConfigured: boolean,
): Promise<ProviderFacts> {
  const { settings, baseUrl, isLocal, defaultModel } = await lookUpProvider({ values, id, env, version: "" });
  const { from } = keyOrigin(settings);
  return {
    id,
    name: settings.name || id,
    wire: settings.wire_api ?? "responses",
    baseUrl: publicAddress(baseUrl),
    keyFrom: from,
    keyVariable: keyVariable(settings),
    isReady: from === "command" || from === "nowhere" || storedKey(settings, env) !== undefined,
    isLocal: isLocal || (URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)),
    defaultModel,
    isConfigured,
  };
}

function publicAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  if (url.username === "" && url.password === "" && url.search === "") return baseUrl;
  return `${url.origin}${url.pathname}`;
}
