import { withReason } from "../../model/connection-error.ts";
import { exchange, headersFor } from "../../model/exchange.ts";
import type { Endpoint } from "../../model/types.ts";
import { wholeText } from "../../model/whole-text.ts";
import { ollamaRoot } from "../../model/wires/ollama-lines.ts";
import { AppError } from "../../util/errors.ts";
import { isRecord, type Json, listOf, parseJson, recordOf, textIn } from "../../util/json.ts";
import { abilitiesIn, bytesIn, nameIn, tokensIn } from "../server-facts.ts";
import { type CacheFacts, cacheFacts } from "./kv-cache.ts";
import { isCloudName } from "./names.ts";

// The vendor's own client is not used: it writes to standard output when a request fails, reads a key from the
// environment, and has no limit of time for one request.

export type Installed = {
  /** With its tag. */
  name: string;
  /** Bytes. */
  size: number;
  /** It runs on somebody else's machine. */
  isCloud: boolean;
  /** Absent on servers before 0.24. */
  capabilities?: string[];
};
export type LoadedModel = { name: string; contextLength?: number };
export type ModelFacts = {
  /** Absent on old servers. */
  capabilities?: string[];
  /** Tokens. */
  maxContext?: number;
  numCtx?: number;
  cache?: CacheFacts;
  isCloud: boolean;
};

const ANSWER_MS = 5_000;

/** The version, or undefined when what answers is not Ollama. Throws AppError "model.unreachable" when nothing does. */
export async function ollamaVersion(endpoint: Endpoint, signal: AbortSignal): Promise<string | undefined> {
  const version = textIn(recordOf(await ask(endpoint, "/api/version", signal))["version"]);
  if (version === undefined) return undefined;
  // KoboldCpp answers Ollama's paths as well, but runs no tools on them.
  const other = recordOf(await ask(endpoint, "/api/extra/version", signal));
  return textIn(other["result"]) === "KoboldCpp" ? undefined : version;
}

/** What is installed, newest first. */
export async function installedModels(endpoint: Endpoint, signal: AbortSignal): Promise<Installed[]> {
  const answer = recordOf(await ask(endpoint, "/api/tags", signal));
  const { models } = answer;
  if (!("models" in answer) || (models !== null && !Array.isArray(models))) {
    throw new AppError(
      "model.rejected",
      `expected a list of models from ${ollamaRoot(endpoint.baseUrl)}/api/tags, found something else`,
      { hint: "check what answers at that address" },
    );
  }
  return listOf(models)
    .filter(isRecord)
    .flatMap((entry) => {
      const name = nameIn(textIn(entry["name"]) ?? entry["model"]);
      return name === undefined ? [] : [installed(name, entry)];
    });
}

function installed(name: string, entry: Json): Installed {
  const capabilities = abilitiesIn(entry["capabilities"]);
  return {
    name,
    size: bytesIn(entry["size"]) ?? 0,
    isCloud: isCloudName(name) || isRemote(entry),
    ...(capabilities ? { capabilities } : {}),
  };
}

/** Models in memory. One that is still being loaded is not among them. */
export async function loadedModels(endpoint: Endpoint, signal: AbortSignal): Promise<LoadedModel[]> {
  const { models } = recordOf(await ask(endpoint, "/api/ps", signal));
  return listOf(models)
    .filter(isRecord)
    .flatMap((entry) => {
      const name = nameIn(entry["name"]);
      const contextLength = tokensIn(entry["context_length"]);
      if (name === undefined) return [];
      return [{ name, ...(contextLength === undefined ? {} : { contextLength }) }];
    });
}

/** What Ollama tells of one model. Throws AppError when it does not answer or does not have it. */
export async function showModel(name: string, endpoint: Endpoint, signal: AbortSignal): Promise<ModelFacts> {
  const shown = recordOf(await ask(endpoint, "/api/show", signal, { model: name }));
  const info = recordOf(shown["model_info"]);
  const capabilities = abilitiesIn(shown["capabilities"]);
  const maxContext = tokensIn(info[`${textIn(info["general.architecture"])}.context_length`]);
  const cache = cacheFacts(info);
  const numCtx = parameter(textIn(shown["parameters"]) ?? "", "num_ctx");
  return {
    isCloud: isCloudName(name) || isRemote(shown),
    ...(capabilities ? { capabilities } : {}),
    ...(maxContext === undefined ? {} : { maxContext }),
    ...(cache === undefined ? {} : { cache }),
    ...(numCtx === undefined ? {} : { numCtx }),
  };
}

/**
 * The same for a model whose card leaves lists out: with them the answer is large, as the whole vocabulary is one, so they
 * are asked for only where the memory of the model has to be estimated.
 */
export async function exactCache(
  name: string,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<CacheFacts | undefined> {
  const shown = recordOf(await ask(endpoint, "/api/show", signal, { model: name, verbose: true }));
  return cacheFacts(recordOf(shown["model_info"]));
}

function isRemote(entry: Json): boolean {
  return textIn(entry["remote_host"]) !== undefined || textIn(entry["remote_model"]) !== undefined;
}

/** A number of the parameters' text: one `name value` on each line. */
function parameter(text: string, name: string): number | undefined {
  return tokensIn(Number(new RegExp(`^${name}\\s+(\\d+)\\s*$`, "m").exec(text)?.[1]));
}

/** The parsed answer; undefined for one that is not JSON, and for a path that the server does not have. */
async function ask(endpoint: Endpoint, path: string, signal: AbortSignal, body?: Json): Promise<unknown> {
  const url = ollamaRoot(endpoint.baseUrl) + path;
  const init = {
    headers: headersFor(endpoint, body ? { "content-type": "application/json" } : {}),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  };
  try {
    return parseJson(await wholeText(await exchange(url, init, endpoint)));
  } catch (cause) {
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (!(cause instanceof AppError)) throw unreachable(endpoint, cause);
    if (cause.status === 404 || cause.status === 405) return undefined;
    if (cause.status === 403) throw hostRefused(cause);
    throw cause;
  }
}

/** It has no keys: listening to its own machine only, it answers under names of that machine only. */
function hostRefused({ message, status }: AppError): AppError {
  return new AppError("auth", message, {
    status,
    hint: "Ollama answers only under names that it takes for its own: put its address into OLLAMA_HOST in place of a name",
  });
}

function unreachable(endpoint: Endpoint, cause: unknown): AppError {
  const what = `Ollama does not answer at ${ollamaRoot(endpoint.baseUrl)}`;
  return new AppError("model.unreachable", withReason(what, cause), {
    hint: "start it with `ollama serve`, or say where it runs with OLLAMA_HOST=host:port",
    cause,
  });
}
