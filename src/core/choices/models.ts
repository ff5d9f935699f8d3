import type { LoadedConfig } from "../../config/load.ts";
import type { Endpoint } from "../../model/types.ts";
import type { Effort } from "../../protocol/settings.ts";
import { lmStudioModels } from "../../providers/lmstudio/client.ts";
import { listModels } from "../../providers/model-list.ts";
import { modelInfo } from "../../providers/models.ts";
import {
  type Installed,
  installedModels,
  loadedModels,
  type ModelFacts,
  showModel,
} from "../../providers/ollama/client.ts";
import { resolveProvider } from "../../providers/resolve.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import { VERSION } from "../../util/package.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A model as a person chooses it. What is not known is undefined. */
export type ModelChoice = {
  id: string;
  /** On disk. */
  bytes?: number;
  /** Tokens; of a local model, what it was made for. */
  context?: number;
  tools?: boolean;
  images?: boolean;
  efforts: readonly Effort[];
  /** In memory already. */
  isLoaded: boolean;
  /** A server on this machine lists it, another machine answers. */
  isCloud: boolean;
};
export type ModelQuestion = { provider: string; config: LoadedConfig; env: Env };

/** The models of a provider, those in memory first. Throws AppError when it can't be asked and nothing is known of it. */
export async function modelsToChoose(question: ModelQuestion, signal: AbortSignal): Promise<ModelChoice[]> {
  const { config, env } = question;
  const { values, home } = config;
  const client = { env, originator: "interpreter_tui", version: VERSION };
  const provider = await resolveProvider({ ...client, values, id: question.provider });
  const own = await localModels(provider, signal);
  if (own) return own.sort((a, b) => Number(b.isLoaded) - Number(a.isLoaded));
  const { models } = await listModels(provider, { home, now: () => new Date() }, signal);
  return models.map((listed) => {
    const { isLocal, id } = provider;
    const info = provider.stream
      ? provider.model(listed.id)
      : modelInfo(listed.id, { provider: id, isLocal, listed });
    return fromInfo(info);
  });
}

function fromInfo(info: ModelInfo): ModelChoice {
  const { id, contextWindow, tools, images, efforts, known } = info;
  const facts = known ? { context: contextWindow, tools, images } : {};
  return { id, ...facts, efforts, isLoaded: false, isCloud: false };
}

/** Only the servers that we know by name tell sizes and abilities; undefined for every other. */
async function localModels(provider: Provider, signal: AbortSignal): Promise<ModelChoice[] | undefined> {
  if (provider.id === "ollama") return await ollamaModels(provider, signal);
  if (provider.id !== "lmstudio") return undefined;
  const models = await lmStudioModels(await provider.endpoint(signal), signal);
  return models?.map(({ id, maxContext, context, tools, images, isLoaded }) => ({
    id,
    ...(maxContext === undefined && context === undefined ? {} : { context: maxContext ?? context }),
    ...(tools === undefined ? {} : { tools }),
    images,
    efforts: [],
    isLoaded,
    isCloud: false,
  }));
}

async function ollamaModels(provider: Provider, signal: AbortSignal): Promise<ModelChoice[]> {
  const endpoint = await provider.endpoint(signal);
  const [installed, loaded] = await Promise.all([
    installedModels(endpoint, signal),
    loadedModels(endpoint, signal).catch(() => []),
  ]);
  const inMemory = new Set(loaded.map(({ name }) => name));
  const cards = await cardsOf(installed, endpoint, signal);
  return installed.flatMap(({ name, size, isCloud, capabilities }) => {
    const facts = cards.get(name) ?? { isCloud };
    const able = facts.capabilities ?? capabilities;
    if (able && able.length > 0 && !able.includes("completion")) return [];
    return [{ id: name, bytes: size, ...ollamaFacts(facts, able), isLoaded: inMemory.has(name) }];
  });
}

const MOST_CARDS = 200;
const AT_ONCE = 8;
/** For all of them: a server shows a card at once, whatever else it does. */
const CARDS_MS = 5_000;

/** The cards of the newest models, as far as they come: one that can't be looked at must not hide the others. */
async function cardsOf(
  installed: readonly Installed[],
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ModelFacts>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CARDS_MS)]);
  const cards = new Map<string, ModelFacts>();
  const waiting = installed.slice(0, MOST_CARDS).values();
  const look = async () => {
    for (const { name } of waiting) {
      if (limit.aborted) return;
      const card = await showModel(name, endpoint, limit).catch(() => undefined);
      if (card) cards.set(name, card);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return cards;
}

function ollamaFacts(
  { maxContext, isCloud }: ModelFacts,
  able: readonly string[] | undefined,
): Omit<ModelChoice, "id" | "isLoaded"> {
  const efforts: readonly Effort[] = able?.includes("thinking") ? ["none", "low", "medium", "high"] : [];
  return {
    ...(maxContext === undefined ? {} : { context: maxContext }),
    ...(able ? { tools: able.includes("tools"), images: able.includes("vision") } : {}),
    efforts,
    isCloud,
  };
}
