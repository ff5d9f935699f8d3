import { estimateRequest } from "../../model/cut-prompt.ts";
import { exchange, headersFor } from "../../model/exchange.ts";
import type { Endpoint, ModelEvent, ModelRequest } from "../../model/types.ts";
import type { ServedKind } from "../../providers/served-models.ts";
import type { ModelInfo, Provider } from "../../providers/types.ts";
import { sleep } from "../../util/async.ts";
import { AppError } from "../../util/errors.ts";
import { linkModel } from "../model/model-link.ts";
import { fencedWhenRefused } from "./fenced-calls.ts";
import { withMeasuredSpeed } from "./measured-speed.ts";

type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/**
 * The provider with what its servers need: they answer 503 while a model is loaded, refuse tools that they were not
 * started for, and count the room for an answer as part of the window.
 */
export function forgivingStream(provider: Provider, model: ModelInfo, kind: ServedKind): Provider {
  const { stream } = linkModel(provider, model);
  const endpoint = (signal: AbortSignal) => provider.endpoint(signal);
  const window = model.known ? model.contextWindow : Number.POSITIVE_INFINITY;
  const measured = kind === "other" ? stream : withMeasuredSpeed(stream, () => performance.now());
  const patient = afterLoading(withRoom(measured, window), endpoint);
  return { ...provider, stream: fencedWhenRefused(patient, async () => NO_TOOLS[kind](model.id)) };
}

const NO_TOOLS = {
  "llama.cpp": (id) =>
    `the server was started without tool calls, so ${id} writes its commands as text; with --jinja it does better`,
  vLLM: (id) =>
    `the server was started without tool calls, so ${id} writes its commands as text; with --enable-auto-tool-choice and --tool-call-parser it does better`,
  KoboldCpp: (id) => `KoboldCpp has no tool calls for ${id}, so it writes its commands as text`,
  other: (id) => `the server has no tool calls for ${id}, so it writes its commands as text`,
} as const satisfies Record<ServedKind, (id: string) => string>;

const POLL_MS = 1_000;
/** It tells that it is loading without any work. */
const HEALTH_MS = 10_000;
/** A large model on a slow disk. */
const LONGEST_LOAD_MS = 15 * 60_000;

/** Waits while llama.cpp's server loads its model, and asks again then. */
function afterLoading(stream: Stream, endpointOf: (signal: AbortSignal) => Promise<Endpoint>): Stream {
  return async function* (request, signal) {
    try {
      yield* stream(request, signal);
      return;
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.status !== 503 || !/loading model/i.test(cause.message))
        throw cause;
    }
    yield { type: "loading", model: request.model };
    await loaded(await endpointOf(signal), signal);
    yield* stream(request, signal);
  };
}

async function loaded(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const url = `${endpoint.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")}/health`;
  const giveUpAt = performance.now() + LONGEST_LOAD_MS;
  while (performance.now() < giveUpAt) {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_MS)]);
      await exchange(url, { headers: headersFor(endpoint, {}), signal: limit }, endpoint);
      return;
    } catch (cause) {
      // Whatever else it answers, the next request will tell more about it.
      if (!(cause instanceof AppError) || cause.status !== 503) return;
    }
    await sleep(POLL_MS, signal);
  }
}

const LIMIT_FIELDS = ["max_tokens", "max_completion_tokens"] as const;
const LEAST_ANSWER = 256;
/** What a chat template adds is not always in the server's own count. */
const MARGIN = 16;

/**
 * Harnesses ask for long answers. A server that counts them as part of the window refuses a prompt that would fit; so the
 * limit is held to what an estimate leaves of `window`, and to what the server says when the estimate was too high.
 */
function withRoom(stream: Stream, window: number): Stream {
  return async function* (request, signal) {
    const left = Math.max(LEAST_ANSWER, window - Math.ceil(estimateRequest(request) * CAREFUL) - MARGIN);
    const fitted = limited(request, left) ?? request;
    try {
      yield* stream(fitted, signal);
      return;
    } catch (cause) {
      const room =
        cause instanceof AppError && cause.code === "model.context_window" ? roomIn(cause.message) : 0;
      const smaller = room >= LEAST_ANSWER ? limited(fitted, room) : undefined;
      if (!smaller) throw cause;
      yield* stream(smaller, signal);
    }
  };
}

/** Estimates of code run low. */
const CAREFUL = 1.2;

/** The request with its limit of the answer at `most`; undefined when that changes nothing. */
function limited(request: ModelRequest, most: number): ModelRequest | undefined {
  const lower = LIMIT_FIELDS.flatMap((field) => {
    const limit = request.extraBody[field];
    return typeof limit === "number" && limit > most ? [[field, most] as const] : [];
  });
  const { maxOutputTokens } = request;
  const isOver = maxOutputTokens !== undefined && maxOutputTokens > most;
  if (lower.length === 0 && !isOver) return undefined;
  return {
    ...request,
    extraBody: { ...request.extraBody, ...Object.fromEntries(lower) },
    ...(isOver ? { maxOutputTokens: most } : {}),
  };
}

/** Tokens that the message leaves for an answer; the wording differs from version to version. 0: it says nothing of the kind. */
function roomIn(message: string): number {
  const window = /context length is (?:only )?(\d+) tokens/.exec(message)?.[1];
  const input =
    /(\d+) in the messages/.exec(message)?.[1] ??
    /your request has (\d+) input tokens/.exec(message)?.[1] ??
    /You passed (\d+) input tokens/.exec(message)?.[1];
  if (window === undefined || input === undefined) return 0;
  return Number(window) - Number(input) - MARGIN;
}
