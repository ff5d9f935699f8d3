import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder, writeFileAtomic } from "../util/fs.ts";
import { listOf, parseJson, recordOf, textIn } from "../util/json.ts";
import { type ListedModel, readModelList } from "./listed-model.ts";

export type ModelHost = { id: string; baseUrl: string };
export type CachedModels = {
  /** ISO 8601. */
  fetchedAt: string;
  models: ListedModel[];
};

const FILE = "models_cache.json";

/** The last list of a provider; undefined when there is none for this address. A damaged file counts as none. */
export function cachedModels(home: string, { id, baseUrl }: ModelHost): CachedModels | undefined {
  const providers = readProviders(home);
  const entry = recordOf(Object.hasOwn(providers, id) ? providers[id] : undefined);
  const fetchedAt = textIn(entry["fetched_at"]);
  if (entry["base_url"] !== baseUrl || fetchedAt === undefined || Number.isNaN(Date.parse(fetchedAt)))
    return undefined;
  const models = readModelList(listOf(entry["models"])) ?? [];
  return { fetchedAt: new Date(fetchedAt).toISOString(), models };
}

/** What the provider's last list said of a model. */
export function cachedModel(home: string, host: ModelHost, model: string): ListedModel | undefined {
  const wanted = model.toLowerCase();
  return cachedModels(home, host)?.models.find(({ id }) => id.toLowerCase() === wanted);
}

/** Keeps a list for the time when the server can't be reached. Nothing is said when it can't be written. */
export async function keepModels(
  home: string,
  { id, baseUrl }: ModelHost,
  list: CachedModels,
): Promise<void> {
  const { fetchedAt, models } = list;
  const entry = { base_url: baseUrl, fetched_at: fetchedAt, models: models.map(forFile) };
  try {
    makePrivateFolder(home);
    const text = JSON.stringify({ providers: { ...readProviders(home), [id]: entry } });
    await writeFileAtomic(join(home, FILE), `${text}\n`, { mode: 0o600 });
  } catch {
    // The list was shown; only the next offline start misses it.
  }
}

function readProviders(home: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(recordOf(parseJson(readFileSync(join(home, FILE), "utf8")))["providers"]);
  } catch {
    return {};
  }
}

// The file has the names that servers use, so that one reader checks both.
function forFile({ id, label, contextWindow, images, tools }: ListedModel) {
  return {
    id,
    display_name: label,
    context_window: contextWindow,
    supports_vision: images,
    supports_tools: tools,
  };
}
