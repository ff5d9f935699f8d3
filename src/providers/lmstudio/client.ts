import { withReason } from "../../model/connection-error.ts";
import { exchange, headersFor } from "../../model/exchange.ts";
import { clip } from "../../model/problem.ts";
import type { Endpoint } from "../../model/types.ts";
import { wholeText } from "../../model/whole-text.ts";
import { AppError } from "../../util/errors.ts";
import { isRecord, type Json, listOf, parseJson, recordOf, textIn } from "../../util/json.ts";
import { nameIn, tokensIn } from "../server-facts.ts";

/** A model that LM Studio has on its disk. Tokens. */
export type LmStudioModel = {
  id: string;
  isLoaded: boolean;
  /** The window it is loaded with. */
  context?: number;
  maxContext?: number;
  /** Absent when the server does not say. */
  tools?: boolean;
  images: boolean;
};

const ANSWER_MS = 5_000;
/** A large model takes minutes to load. */
const LOAD_MS = 15 * 60_000;

/**
 * Its language models: from the list of version 0.4, else from the older one. Undefined when what answers is not LM
 * Studio: it answers 200 to every path, so only the shape of the answer tells.
 */
export async function lmStudioModels(
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<LmStudioModel[] | undefined> {
  const { models } = recordOf(await ask(endpoint, "/api/v1/models", signal));
  if (Array.isArray(models) && models.every((model) => textIn(recordOf(model)["key"]) !== undefined))
    return models.filter(isRecord).flatMap(newModel);
  const { data } = recordOf(await ask(endpoint, "/api/v0/models", signal));
  if (!Array.isArray(data) || !data.every((model) => textIn(recordOf(model)["state"]) !== undefined))
    return undefined;
  return data.filter(isRecord).flatMap(olderModel);
}

/** Loads a model with a window of `context` tokens. Throws AppError when the server has no such call, or no memory. */
export async function loadLmStudioModel(
  id: string,
  context: number,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<void> {
  const body = { model: id, context_length: context };
  const answer = recordOf(await ask(endpoint, "/api/v1/models/load", signal, body));
  if (answer["status"] === "loaded") return;
  const { message } = recordOf(answer["error"]);
  const found =
    textIn(message) ?? textIn(answer["message"]) ?? textIn(answer["error"]) ?? "no reason was given";
  throw new AppError("model.rejected", `LM Studio did not load ${id}: ${clip(found)}`, {
    hint: `load it by hand with \`lms load ${id} --context-length ${context}\`, or with a smaller context`,
  });
}

function newModel(entry: Json): LmStudioModel[] {
  const id = nameIn(entry["key"]);
  if (id === undefined || entry["type"] !== "llm") return [];
  const [instance] = listOf(entry["loaded_instances"]);
  const able = recordOf(entry["capabilities"]);
  const tools = able["trained_for_tool_use"];
  return [
    {
      id,
      isLoaded: instance !== undefined,
      images: able["vision"] === true,
      ...tokensAs("context", recordOf(recordOf(instance)["config"])["context_length"]),
      ...tokensAs("maxContext", entry["max_context_length"]),
      ...(typeof tools === "boolean" ? { tools } : {}),
    },
  ];
}

function olderModel(entry: Json): LmStudioModel[] {
  const { type, state, capabilities } = entry;
  const id = nameIn(entry["id"]);
  if (id === undefined || type === "embeddings") return [];
  return [
    {
      id,
      isLoaded: state === "loaded",
      images: type === "vlm",
      ...tokensAs("context", entry["loaded_context_length"]),
      ...tokensAs("maxContext", entry["max_context_length"]),
      ...(Array.isArray(capabilities) ? { tools: capabilities.includes("tool_use") } : {}),
    },
  ];
}

function tokensAs<K extends string>(key: K, value: unknown): { [Key in K]?: number } | object {
  const tokens = tokensIn(value);
  return tokens === undefined ? {} : { [key]: tokens };
}

/** Its own interface lies beside /v1. */
async function ask(endpoint: Endpoint, path: string, signal: AbortSignal, body?: Json): Promise<unknown> {
  const root = endpoint.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const limit = AbortSignal.timeout(body ? LOAD_MS : ANSWER_MS);
  const init = {
    headers: headersFor(endpoint, body ? { "content-type": "application/json" } : {}),
    signal: AbortSignal.any([signal, limit]),
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  };
  try {
    return parseJson(await wholeText(await exchange(root + path, init, endpoint)));
  } catch (cause) {
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (cause instanceof AppError && cause.status === 401) throw cause;
    if (cause instanceof AppError) return { message: cause.message };
    throw new AppError("model.unreachable", withReason(`LM Studio does not answer at ${root}`, cause), {
      hint: "start its server with `lms server start`, or in the app under Developer",
      cause,
    });
  }
}
