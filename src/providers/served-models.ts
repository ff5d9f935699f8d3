import { exchange, headersFor } from "../model/exchange.ts";
import type { Endpoint } from "../model/types.ts";
import { wholeText } from "../model/whole-text.ts";
import { AppError } from "../util/errors.ts";
import { isRecord, type Json, listOf, parseJson, recordOf, textIn } from "../util/json.ts";
import { type ListedModel, readModelList } from "./listed-model.ts";
import { tokensIn } from "./server-facts.ts";

export type ServedKind = "llama.cpp" | "vLLM" | "KoboldCpp" | "other";
/** What a server of one's own machine or network says of itself. */
export type Served = {
  kind: ServedKind;
  models: ListedModel[];
  /** Tokens of one conversation, where the server has one size for all its models. */
  context?: number;
  images?: boolean;
  /** It is still loading its model, so the rest is not known yet. */
  isLoading: boolean;
};

/** For all questions together: a server that is there answers them at once, whatever else it does. */
const ANSWER_MS = 1_500;

/**
 * Asks for the list of models, and for the settings that only llama.cpp's server has. Undefined when nothing answers, or
 * nothing that can be read. Throws AppError "auth" for a refused key, "aborted".
 */
export async function servedModels(endpoint: Endpoint, signal: AbortSignal): Promise<Served | undefined> {
  const base = endpoint.baseUrl.replace(/\/+$/, "");
  const root = base.replace(/\/v1$/, "");
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const ask = (url: string) => answerOf(url, endpoint, { limit, signal });
  const [list, props] = await Promise.all([ask(`${base}/models`), ask(`${root}/props`)]);
  if (list === undefined && props === undefined) return undefined;
  const isLoading = [list, props].some((answer) => answer === LOADING);
  const settings = recordOf(recordOf(props)["default_generation_settings"]);
  const entries = listOf(recordOf(list)["data"]).filter(isRecord);
  const models = readModelList(list) ?? [];
  const kind = kindOf(settings, entries);
  const isSilent = kind === "other" && models.every(({ contextWindow }) => contextWindow === undefined);
  const kobold = isSilent ? await koboldContext(root, ask) : {};
  return {
    kind: "context" in kobold ? "KoboldCpp" : kind,
    models,
    ...contextIn(settings),
    ...kobold,
    ...visionIn(recordOf(recordOf(props)["modalities"])),
    isLoading,
  };
}

function kindOf(settings: Json, entries: readonly Json[]): ServedKind {
  const owners = entries.map((entry) => textIn(entry["owned_by"]));
  if (Object.keys(settings).length > 0 || owners.includes("llamacpp")) return "llama.cpp";
  return entries.some((entry) => typeof entry["max_model_len"] === "number") ? "vLLM" : "other";
}

/** 0 when it serves many models: then each has its own. */
function contextIn({ n_ctx: tokens }: Json): { context?: number } {
  const context = tokensIn(tokens);
  return context === undefined ? {} : { context };
}

/** Its list of models has only names; the window is at a place of its own. */
async function koboldContext(
  root: string,
  ask: (url: string) => Promise<unknown>,
): Promise<{ context?: number }> {
  const { value } = recordOf(await ask(`${root}/api/extra/true_max_context_length`));
  return contextIn({ n_ctx: value });
}

function visionIn({ vision }: Json): { images?: boolean } {
  return typeof vision === "boolean" ? { images: vision } : {};
}

const LOADING = Symbol("the model is being loaded");

/** The parsed answer; undefined for none, and for a path that the server does not have. */
async function answerOf(
  url: string,
  endpoint: Endpoint,
  { limit, signal }: { limit: AbortSignal; signal: AbortSignal },
): Promise<unknown> {
  try {
    const response = await exchange(url, { headers: headersFor(endpoint, {}), signal: limit }, endpoint);
    return parseJson(await wholeText(response));
  } catch (cause) {
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (!(cause instanceof AppError)) return undefined;
    if (cause.code === "auth" && url.endsWith("/models")) throw cause;
    return cause.status === 503 && /loading model/i.test(cause.message) ? LOADING : undefined;
  }
}
