import type { LoadedConfig } from "../../config/load.ts";
import { resolveProvider } from "../../providers/resolve.ts";
import { VERSION } from "../../util/package.ts";
import { prepareLocal } from "../local/prepare.ts";

/** Tokens that a local model will be served with, and what a person should know of it. */
export type ServedWindow = { tokens: number; text: string; warnings: string[] };

/** Below this, a coding task is hard to hold. */
export const SMALL_WINDOW = 16_384;

/** How a local model would be served under these settings. Throws AppError when it can't be used. */
export async function servedWindow(
  { provider: id, model, config, env }: Question,
  signal: AbortSignal,
): Promise<ServedWindow> {
  const { values, home } = config;
  const client = { env, originator: "interpreter_tui", version: VERSION };
  const provider = await resolveProvider({ ...client, values, id });
  const wantedWindow = values.model_context_window;
  const question = { provider, named: model, wantedWindow, isAirGapped: values.air_gapped, env, home };
  const prepared = await prepareLocal(question, signal);
  const tokens = prepared.model.contextWindow;
  return { tokens, text: prepared.window ?? `${tokens} tokens`, warnings: prepared.warnings };
}

type Question = {
  provider: string;
  model: string;
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
};
