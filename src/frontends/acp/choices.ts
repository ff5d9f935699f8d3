import type { LoadedConfig } from "../../config/load.ts";
import { harnessesToChoose } from "../../core/choices/harnesses.ts";
import { modelsToChoose } from "../../core/choices/models.ts";

/** `cloudModels`: those of `models` that a server on this machine lists and another machine answers. */
export type Choices = {
  models: readonly string[];
  cloudModels: readonly string[];
  harnesses: readonly string[];
};
type Question = {
  config: LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  provider: string;
  model: string;
};

/** How long a session waits for the list of a server's models; after that it comes as an update. */
export const PATIENCE_MS = 1500;

/** What a session could be set to. A server that can't be asked has no models to offer. */
export async function choicesOf(question: Question, signal: AbortSignal): Promise<Choices> {
  const [models, harnesses] = await Promise.all([
    modelsToChoose(question, signal).catch(() => []),
    harnessesToChoose(question).catch(() => []),
  ]);
  return {
    models: models.map(({ id }) => id),
    cloudModels: models.filter(({ isCloud }) => isCloud).map(({ id }) => id),
    harnesses: harnesses.map(({ id }) => id),
  };
}
