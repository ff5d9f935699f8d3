import type { LoadedConfig } from "../../config/load.ts";
import { listProviders, type ProviderFacts } from "../../providers/directory.ts";

export type ProviderChoice = ProviderFacts;

/** Providers that can be chosen: those that can be used at once first, then by name. */
export async function providersToChoose(
  { values }: LoadedConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProviderChoice[]> {
  const { providers } = await listProviders(values, env);
  const byName = providers.sort((a, b) => a.name.localeCompare(b.name, "en"));
  const rank = ({ isReady, isConfigured }: ProviderFacts) => (isConfigured ? 0 : isReady ? 1 : 2);
  return byName.sort((a, b) => rank(a) - rank(b));
}
