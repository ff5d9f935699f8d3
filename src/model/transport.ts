import { OpenAI } from "openai/client";
import { sleep } from "../util/async.ts";
import { AppError, toAppError } from "../util/errors.ts";
import { type AnswerBody, readBody } from "./answer-body.ts";
import { connectionError } from "./errors.ts";
import { exchange, headersFor, withRenewedKey } from "./exchange.ts";
import { IdleWatch } from "./idle-watch.ts";
import type { Json } from "./json.ts";
import type { Endpoint } from "./types.ts";

export type ModelCall = {
  /** Below the base URL, with a leading slash. */
  path: string;
  body: Json;
  /** What the wire needs unless the endpoint says otherwise. */
  defaultHeaders: Readonly<Record<string, string>>;
  /** These win over the endpoint's; a `null` value removes a header. */
  headers: Readonly<Record<string, string | null>>;
};

const RETRY_BASE_MS = 200;
/** A server that asks for a longer wait gets it from the caller, who can tell the user. */
const LONGEST_SILENT_WAIT_MS = 10_000;
/** A local server reads the whole prompt before its first byte, so the start may be slower than the rest. */
const START_PATIENCE = 4;
/** The largest delay a timer takes; our own watch is the one that ends a wait. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Posts a call and returns once the answer has begun. Answers 5xx and broken connections are tried again without a word,
 * `endpoint.maxRetries` times. Throws AppError by status; "aborted" when the signal fires.
 */
export async function post(call: ModelCall, endpoint: Endpoint, signal: AbortSignal): Promise<AnswerBody> {
  return await withRenewedKey(endpoint, (renewed) => postWithRetries(call, renewed, signal), signal);
}

async function postWithRetries(
  call: ModelCall,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<AnswerBody> {
  const client = clientFor(call, endpoint);
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(client, call, endpoint, signal);
    } catch (cause) {
      const error = toAppError(cause);
      if (attempt > endpoint.maxRetries || !isWorthAnotherTry(error)) throw error;
      await sleep(error.retryAfterMs ?? backoffMs(attempt), signal);
    }
  }
}

/** The address of a path below a base URL that may end in a slash, without the query. */
function urlOf(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, "") + path;
}

async function attemptOnce(
  client: OpenAI,
  call: ModelCall,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<AnswerBody> {
  const watch = new IdleWatch(endpoint.idleTimeoutMs, endpoint.idleTimeoutMs * START_PATIENCE);
  try {
    const response = await client
      .post(call.path, { body: call.body, signal: AbortSignal.any([signal, watch.signal]) })
      .asResponse();
    return await readBody(response, urlOf(endpoint.baseUrl, call.path), watch, signal);
  } catch (cause) {
    watch.stop();
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (watch.hasExpired) throw watch.error();
    throw ownError(cause) ?? connectionError(cause, urlOf(endpoint.baseUrl, call.path), endpoint.proxy);
  }
}

/** The client wraps what its fetch throws; our own error is somewhere inside. */
function ownError(cause: unknown): AppError | undefined {
  if (cause instanceof AppError) return cause;
  return cause instanceof Error ? ownError(cause.cause) : undefined;
}

function isWorthAnotherTry(error: AppError): boolean {
  if ((error.retryAfterMs ?? 0) > LONGEST_SILENT_WAIT_MS) return false;
  return error.code === "model.overloaded" || error.code === "model.unreachable";
}

function backoffMs(attempt: number): number {
  return RETRY_BASE_MS * 2 ** (attempt - 1) * (0.9 + Math.random() * 0.2);
}

function clientFor(call: ModelCall, endpoint: Endpoint): OpenAI {
  const defaults = { "content-type": "application/json", ...call.defaultHeaders };
  const headers = headersFor(endpoint, defaults, call.headers);
  return new OpenAI({
    // The key travels in our own headers; the client only insists on having one.
    apiKey: "unused",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl.replace(/\/+$/, ""),
    defaultQuery: endpoint.query,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
    logger: { error: ignore, warn: ignore, info: ignore, debug: ignore },
    // Exactly our headers: what the client says of itself, and reads from its own variables, stays here.
    fetch: (url, init) => exchange(String(url), { ...init, headers }, endpoint),
  });
}

function ignore(): void {}
