import type { LoadedConfig } from "../../config/load.ts";
import { chooseModel } from "../model/model-choice.ts";

/** Looks whether the chosen provider can be used: throws AppError "auth" when its key is missing, "config" for the rest. */
export async function checkAccess(
  config: LoadedConfig,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  const client = { env, originator: "interpreter_acp", sessionId: () => "" };
  const { provider } = await chooseModel(config, client, signal);
  if (!provider.stream) await provider.endpoint(signal);
}
