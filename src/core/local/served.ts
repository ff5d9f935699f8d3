import { isCloudName } from "../../providers/ollama/names.ts";
import { type Served, type ServedKind, servedModels } from "../../providers/served-models.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import { AppError, toAppError } from "../../util/errors.ts";
import { nearest } from "../../util/nearest.ts";
import { forgivingStream } from "./served-stream.ts";
import { someNames } from "./some-names.ts";
import type { LocalModel, LocalQuestion } from "./types.ts";

/** Below this, a coding task is hard to hold. */
const SMALL = 8_192;

/**
 * Finds out which model a server in this machine or network has, and with which window: it rarely is the one that the
 * model was made for. A server that says nothing is used as it is. Throws AppError "config" for a model that is not there,
 * and when none was named and none can be found.
 */
export async function prepareServed(question: LocalQuestion, signal: AbortSignal): Promise<LocalModel> {
  const { provider, served } = await reached(question, signal);
  const { wantedWindow } = question;
  const name = modelName({ ...question, provider }, served);
  const base = provider.model(name);
  const listed = served && (served.models.find(({ id }) => id === name) ?? onlyModel(served));
  const loaded = served?.context ?? listed?.contextWindow;
  const images = served?.images ?? listed?.images;
  const tokens = Math.min(wantedWindow ?? loaded ?? base.contextWindow, loaded ?? Number.POSITIVE_INFINITY);
  const model: ModelInfo = {
    ...base,
    contextWindow: tokens,
    ...(images === undefined ? {} : { images }),
    known: base.known || loaded !== undefined,
  };
  const warnings = served
    ? notes(served, model, { loaded, wanted: wantedWindow, named: question.named })
    : [];
  return {
    provider: forgivingStream(provider, model, served?.kind ?? "other"),
    model,
    warnings,
    ...(loaded === undefined ? {} : { window: `${tokens} tokens (${originOf(tokens, loaded)})` }),
  };
}

function originOf(tokens: number, loaded: number): string {
  return tokens < loaded ? "model_context_window" : "what the server has loaded";
}

/** Some servers have moved to another port; the new place is tried when nobody is at the old one. */
const MOVED: Readonly<Record<string, { from: string; to: string }>> = {
  llamacpp: { from: "127.0.0.1:8080", to: "127.0.0.1:9931" },
  jan: { from: "127.0.0.1:1337", to: "127.0.0.1:6767" },
};

async function reached(
  { provider, named }: LocalQuestion,
  signal: AbortSignal,
): Promise<{ provider: Provider; served: Served | undefined }> {
  const served = await asked(provider, named, signal);
  const moved = MOVED[provider.id];
  if (served || !provider.isLocal || !moved || !provider.baseUrl?.includes(moved.from))
    return { provider, served };
  const baseUrl = provider.baseUrl.replace(moved.from, moved.to);
  const other: Provider = {
    ...provider,
    baseUrl,
    endpoint: async (until) => ({ ...(await provider.endpoint(until)), baseUrl }),
  };
  const found = await servedModels(await other.endpoint(signal), signal);
  return found ? { provider: other, served: found } : { provider, served };
}

async function asked(
  provider: Provider,
  named: string | undefined,
  signal: AbortSignal,
): Promise<Served | undefined> {
  let hasKey = true;
  try {
    const endpoint = await provider.endpoint(signal);
    hasKey = endpoint.apiKey !== undefined;
    return await servedModels(endpoint, signal);
  } catch (cause) {
    const error = toAppError(cause);
    if (error.code !== "auth") throw cause;
    // What is wrong with the key is said by the first request, as with every other provider.
    if (named !== undefined) return undefined;
    throw hasKey ? cause : keyWanted(provider, error);
  }
}

/** Jan, and others where it was switched on, want a key on one's own machine as well. */
function keyWanted({ id, baseUrl }: Provider, cause: AppError): AppError {
  const variable = `${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_API_KEY`;
  return new AppError("auth", `${baseUrl} wants an API key, and none is set for the provider ${id}`, {
    hint: `add env_key = "${variable}" below [model_providers.${id}] in config.toml, and set that variable to the key that the server shows`,
    cause,
  });
}

/**
 * The model to ask for when none was named, through an interface that tells nothing else: the provider's usual one when it
 * is there, else the first that runs on this machine. Undefined when the server does not say.
 */
export async function listedModel(provider: Provider, signal: AbortSignal): Promise<string | undefined> {
  const served = await asked(provider, undefined, signal);
  const ids = served?.models.map(({ id }) => id).filter((id) => !isCloudName(id)) ?? [];
  return ids.find((id) => id === provider.defaultModel) ?? ids[0];
}

function onlyModel({ models }: Served): Served["models"][number] | undefined {
  return models.length === 1 ? models[0] : undefined;
}

function modelName({ provider, named }: LocalQuestion, served: Served | undefined): string {
  const ids = served?.models.map(({ id }) => id) ?? [];
  if (named !== undefined) {
    // Only this kind is known to serve nothing but what it lists; others take any name for their one model.
    if (served?.kind === "vLLM" && !ids.includes(named)) throw notServed(named, ids, provider);
    return named;
  }
  // Ollama's other interface lists models that run elsewhere beside those that are here.
  const name = provider.defaultModel ?? ids.find((id) => !isCloudName(id));
  if (name !== undefined) return name;
  const address = provider.baseUrl ?? "the server";
  if (served?.isLoading) return provider.id;
  throw served
    ? new AppError("config", `no model is chosen, and ${address} lists none`, {
        hint: "name one with -m MODEL, or load one in the server",
      })
    : new AppError("model.unreachable", `no model is chosen, and no model server answers at ${address}`, {
        hint: "start the server, or check base_url; `interpreter doctor` lists the servers that it finds",
      });
}

function notServed(named: string, ids: readonly string[], { baseUrl }: Provider): AppError {
  const close = nearest(named, [...ids]);
  const hint = close === undefined ? "name one of them with -m" : `did you mean ${close}?`;
  const list = someNames(ids) || "none";
  return new AppError("config", `the model ${named} is not served at ${baseUrl}; it has: ${list}`, { hint });
}

type Known = { loaded: number | undefined; wanted: number | undefined; named: string | undefined };

function notes(served: Served, { id, contextWindow }: ModelInfo, { loaded, wanted, named }: Known): string[] {
  const count = served.models.length;
  const how = LARGER[served.kind];
  return [
    ...(named === undefined && count > 1 ? [`no model was named: using ${id}, the first of ${count}`] : []),
    ...(served.isLoading
      ? [`the server is still loading its model, so a context of ${contextWindow} tokens is assumed`]
      : []),
    ...(loaded !== undefined && wanted !== undefined && wanted > loaded
      ? [`model_context_window is ${wanted}, but the server has loaded ${loaded} tokens${how}`]
      : []),
    ...(loaded !== undefined && wanted === undefined && loaded < SMALL
      ? [`the server has loaded a context of only ${loaded} tokens${how}`]
      : []),
  ];
}

const LARGER = {
  "llama.cpp": "; start it with a larger -c (it is shared out among the slots of -np)",
  vLLM: "; start it with a larger --max-model-len",
  KoboldCpp: "; start it with a larger --contextsize",
  other: "; load the model with a larger context",
} as const satisfies Record<ServedKind, string>;
