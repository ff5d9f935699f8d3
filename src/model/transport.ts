import { sleep } from "../util/async.ts";
import { AppError, toAppError } from "../util/errors.ts";
import type { Json } from "../util/json.ts";
import { withoutQuery } from "../util/same-server.ts";
import { type AnswerBody, readBody } from "./answer-body.ts";
import { connectionError } from "./connection-error.ts";
import { addressBelow, exchange, headersFor, withRenewedKey } from "./exchange.ts";
import { IdleWatch } from "./idle-watch.ts";
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
  const body = JSON.stringify(call.body);
  const headers = headersFor(
    endpoint,
    { "content-type": "application/json", ...call.defaultHeaders },
    call.headers,
  );
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(call.path, { method: "POST", headers, body }, endpoint, signal);
    } catch (cause) {
      const error = toAppError(cause);
      if (attempt > endpoint.maxRetries || !isWorthAnotherTry(error)) throw error;
      await sleep(error.retryAfterMs ?? backoffMs(attempt), signal);
    }
  }
}

async function attemptOnce(
  path: string,
  init: BunFetchRequestInit,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<AnswerBody> {
  const url = addressBelow(endpoint.baseUrl, path, endpoint.query);
  const watch = new IdleWatch(endpoint.idleTimeoutMs, endpoint.idleTimeoutMs * START_PATIENCE);
  try {
    const response = await exchange(
      url,
      { ...init, signal: AbortSignal.any([signal, watch.signal]) },
      endpoint,
    );
    return await readBody(response, withoutQuery(url), watch, signal);
  } catch (cause) {
    watch.stop();
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (watch.hasExpired) throw watch.error();
    throw cause instanceof AppError ? cause : connectionError(cause, withoutQuery(url), endpoint.proxy);
  }
}

function isWorthAnotherTry(error: AppError): boolean {
  if ((error.retryAfterMs ?? 0) > LONGEST_SILENT_WAIT_MS) return false;
  return error.code === "model.overloaded" || error.code === "model.unreachable";
}

function backoffMs(attempt: number): number {
  return RETRY_BASE_MS * 2 ** (attempt - 1) * (0.9 + Math.random() * 0.2);
}
