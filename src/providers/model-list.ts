import { connectionError } from "../model/connection-error.ts";
import { addressBelow, exchange, headersFor, withRenewedKey } from "../model/exchange.ts";
import { streamError } from "../model/stream-error.ts";
import type { Endpoint } from "../model/types.ts";
import { wholeText } from "../model/whole-text.ts";
import { ollamaRoot } from "../model/wires/ollama-lines.ts";
import type { WireApi } from "../protocol/items.ts";
import { AppError, toAppError } from "../util/errors.ts";
import { isRecord, parseJson } from "../util/json.ts";
import { withoutQuery } from "../util/same-server.ts";
import { type ListedModel, readModelList } from "./listed-model.ts";
import { cachedModels, keepModels } from "./model-cache.ts";
import type { Provider } from "./types.ts";

export type ModelList = {
  models: ListedModel[];
  /** When the server said so, ISO 8601. */
  fetchedAt: string;
  /** Why this is an earlier answer of the server. */
  staleBecause?: AppError;
};

export type ListOptions = {
  /** The program's own folder. */
  home: string;
  now: () => Date;
  timeoutMs?: number;
};

const TIMEOUT_MS = 5_000;

/**
 * Asks the provider for its models. A server that can't answer now is stood in for by its last answer. Throws AppError,
 * "auth" before any request when the key is missing.
 */
export async function listModels(
  provider: Provider,
  { home, now, timeoutMs = TIMEOUT_MS }: ListOptions,
  signal: AbortSignal,
): Promise<ModelList> {
  if (provider.stream) {
    return { models: [{ id: provider.defaultModel ?? provider.id }], fetchedAt: now().toISOString() };
  }
  const endpoint = await provider.endpoint(signal);
  const host = { id: provider.id, baseUrl: endpoint.baseUrl };
  try {
    const models = await withRenewedKey(
      endpoint,
      (renewed) => fetchModels(renewed, provider.wire, timeoutMs, signal),
      signal,
    );
    const list = { models, fetchedAt: now().toISOString() };
    await keepModels(home, host, list);
    return list;
  } catch (cause) {
    const error = toAppError(cause);
    const kept = isPassing(error) ? cachedModels(home, host) : undefined;
    if (!kept) throw error;
    return { ...kept, staleBecause: error };
  }
}

function isPassing({ code }: AppError): boolean {
  return code === "model.unreachable" || code === "model.overloaded" || code === "model.rate_limited";
}

async function fetchModels(
  endpoint: Endpoint,
  wire: WireApi,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const url = addressOf(endpoint, wire);
  const deadline = AbortSignal.timeout(timeoutMs);
  const headers = headersFor(endpoint, {
    accept: "application/json",
    ...(wire === "messages" ? { "anthropic-version": "2023-06-01" } : {}),
  });
  let text: string;
  try {
    const response = await exchange(url, { headers, signal: AbortSignal.any([signal, deadline]) }, endpoint);
    text = await wholeText(response);
  } catch (cause) {
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (deadline.aborted) throw tooSlow(url, timeoutMs, cause);
    if (cause instanceof AppError) throw cause.status === 404 ? hasNoList(cause) : cause;
    throw connectionError(cause, url, endpoint.proxy);
  }
  const answer = parseJson(text);
  const models = readModelList(answer);
  if (models) return models;
  if (isRecord(answer) && answer["error"]) throw streamError(answer);
  throw new AppError(
    "model.rejected",
    `expected a list of models from ${withoutQuery(url)}, found something else`,
    {
      hint: "check base_url; a model can be used without being listed: name it with -m",
    },
  );
}

function addressOf({ baseUrl, query }: Endpoint, wire: WireApi): string {
  const base = baseUrl.replace(/\/+$/, "");
  // Only Ollama's own list says what a model can do.
  if (wire === "ollama") return `${ollamaRoot(base)}/api/tags`;
  const path = wire === "messages" && !base.endsWith("/v1") ? "/v1/models" : "/models";
  // Anthropic lists twenty at a time unless asked for more.
  return addressBelow(base, path, { ...(wire === "messages" ? { limit: "1000" } : {}), ...query });
}

function tooSlow(url: string, timeoutMs: number, cause: unknown): AppError {
  const message = `the server at ${new URL(url).host} did not list its models within ${timeoutMs} ms`;
  return new AppError("model.unreachable", message, { retryable: true, cause });
}

function hasNoList(cause: AppError): AppError {
  return new AppError("model.rejected", `this provider lists no models: ${cause.message}`, {
    status: 404,
    hint: "name a model of its documentation with -m; if requests fail as well, check base_url",
    cause,
  });
}
