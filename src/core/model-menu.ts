import type { LoadedConfig } from "../config/load.ts";
import type { ModelInfo, Provider } from "../providers/types.ts";
import { VERSION } from "../util/package.ts";

/**
 * The models that a provider offers. When it can't be asked and was never asked before: the configured one and the
 * provider's own default. Throws AppError for a provider that nobody knows.
 */
export async function modelMenu(
  { values, home }: LoadedConfig,
  id: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<ModelInfo[]> {
  const [{ resolveProvider }, { listModels }, { modelInfo }] = await Promise.all([
    import("../providers/resolve.ts"),
    import("../providers/model-list.ts"),
    import("../providers/models.ts"),
  ]);
  const provider = await resolveProvider({
    env,
    originator: "interpreter_tui",
    version: VERSION,
    values,
    id,
  });
  try {
    const { models } = await listModels(provider, { home, now: () => new Date() }, signal);
    return models.map((listed) =>
      provider.stream
        ? provider.model(listed.id)
        : modelInfo(listed.id, { provider: id, isLocal: provider.isLocal, listed }),
    );
  } catch {
    return fallback(provider, values.model);
  }
}

function fallback(provider: Provider, configured: string | undefined): ModelInfo[] {
  const names = new Set([configured, provider.defaultModel].filter((name) => name !== undefined));
  return [...names].map((name) => provider.model(name));
}

/** Every harness that can be chosen, by id. */
export async function harnessMenu(config: LoadedConfig): Promise<string[]> {
  const [{ harnessIds }, { harnessHome }] = await Promise.all([
    import("../harness/load.ts"),
    import("./harness-choice.ts"),
  ]);
  return await harnessIds(harnessHome(config));
}
