import { KEY_VARIABLES } from "./key-variables.ts";
import { type Env, nonBlank, type ProviderSettings, type ProviderValues } from "./settings.ts";

/** The variables of this environment that hold a provider's key: of the one in use, and of every other that we know. */
export function secretVariables(inUse: ProviderSettings, values: ProviderValues, env: Env): string[] {
  const settings = [inUse, ...Object.values(values.model_providers ?? {})];
  const configured = settings.flatMap((one) => [one.env_key, ...Object.values(one.env_http_headers ?? {})]);
  const names = new Set([...KEY_VARIABLES, ...configured.filter((name) => name !== undefined)]);
  return [...names].filter((name) => nonBlank(env, name) !== undefined).sort();
}
