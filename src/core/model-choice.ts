import type { LoadedConfig } from "../config/load.ts";
import { resolveProvider } from "../providers/resolve.ts";
import type { ModelInfo, Provider } from "../providers/types.ts";
import { AppError } from "../util/errors.ts";
import { NAME, VERSION } from "../util/package.ts";

export type ModelChoice = { provider: Provider; model: ModelInfo };
type Client = {
  env: Readonly<Record<string, string | undefined>>;
  originator: string;
  sessionId: () => string;
};

/** The provider and model that the configuration names. Throws AppError "config". */
export async function chooseModel({ values, home }: LoadedConfig, client: Client): Promise<ModelChoice> {
  const provider = await resolveProvider({
    ...client,
    values,
    id: values.model_provider,
    home,
    version: VERSION,
    chatCompletions: values.force_chat_completions,
  });
  const name = values.model ?? provider.defaultModel;
  if (name === undefined) {
    throw new AppError("config", `no model is chosen for the provider ${provider.id}`, {
      hint: `name one with -m MODEL, or set model = "…" in config.toml; ${NAME} models lists them`,
    });
  }
  return { provider, model: provider.model(name) };
}
