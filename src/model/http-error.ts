import { AppError } from "../util/errors.ts";
import { outOfQuota, overflow } from "./limit-errors.ts";
import {
  clip,
  isOutOfQuota,
  isOverflow,
  isSetUpWithoutIt,
  isTooLargeForLimit,
  MOST_SHOWN,
  type Problem,
  readProblem,
  resetTime,
  waitInWords,
} from "./problem.ts";
import { withoutKey } from "./secret-free.ts";

export type HttpFailure = {
  status: number;
  statusText: string;
  headers: Headers;
  body: string;
  url: string;
  /** Never shown, even when the server repeats it. */
  apiKey?: string;
  keyVariable?: string;
};

/** A wait longer than this is not worth it: the user should know at once. */
const LONGEST_WAIT_MS = 5 * 60_000;
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** The error for an answer whose status is not 2xx. */
export function httpError(failure: HttpFailure): AppError {
  const { status } = failure;
  const problem = readProblem(failure.body) ?? { message: "", code: "", words: "" };
  const message = describe(failure, problem);
  if (status === 401 || status === 403)
    return new AppError("auth", message, { status, hint: keyHint(failure) });
  if (status === 413 || (status === 429 && isTooLargeForLimit(problem))) return overflow(message, status);
  if (status === 429) return rateLimit(failure, problem, message);
  if (isOverflow(problem)) return overflow(message, status);
  if (status === 402 || isOutOfQuota(problem)) return outOfQuota(message, status);
  // Groq refuses what its own model has written; the next answer may be well formed.
  if (problem.code === "tool_use_failed")
    return new AppError("model.stream_cut", message, { status, retryable: true });
  if (isSetUpWithoutIt(problem)) return new AppError("model.rejected", message, { status });
  if (status === 408 || status === 425 || status >= 500) {
    const retryAfterMs = waitMs(failure.headers, problem);
    return new AppError("model.overloaded", message, { status, retryable: true, retryAfterMs });
  }
  return new AppError("model.rejected", message, { status, hint: rejectionHint(status) });
}

function describe({ status, statusText, headers, body, url, apiKey }: HttpFailure, problem: Problem): string {
  if (isHtml(headers, body)) return `HTTP ${status} with an HTML page, url: ${url}`;
  const secretFree = (text: string) => withoutKey(text, apiKey);
  if ((status === 400 || status === 422) && body.trim() !== "")
    return secretFree(body.length <= MOST_SHOWN ? clip(body) : clip(problem.message));
  const name = statusText || STATUS_NAMES[status] || "";
  return secretFree(
    `unexpected status ${`${status} ${name}`.trim()}: ${clip(problem.message) || "no message"}, url: ${url}`,
  );
}

function rateLimit({ headers, status }: HttpFailure, problem: Problem, message: string): AppError {
  const retryAfterMs = waitMs(headers, problem);
  const isFinal = retryAfterMs === undefined ? isOutOfQuota(problem) : retryAfterMs > LONGEST_WAIT_MS;
  return new AppError("model.rate_limited", message, {
    status,
    retryable: !isFinal,
    retryAfterMs,
    hint: isFinal ? "wait until the limit is lifted, check the plan, or use another model" : undefined,
  });
}

/** What the server asks us to wait, in ms: `retry-after-ms`, `retry-after` in seconds or as a date, or its words. */
function waitMs(headers: Headers, problem: Problem): number | undefined {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const after = headers.get("retry-after");
  if (after === null || after.trim() === "") {
    const reset = resetTime(headers.get("x-ratelimit-reset") ?? "") ?? resetTime(problem.words);
    return reset === undefined ? waitInWords(problem.words) : Math.max(0, reset - Date.now());
  }
  const seconds = Number(after);
  if (seconds >= 0) return Math.round(seconds * 1_000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? waitInWords(problem.words) : Math.max(0, date - Date.now());
}

function keyHint({ keyVariable }: HttpFailure): string {
  return keyVariable
    ? `check the key in ${keyVariable}, and that it may use this model`
    : "check the provider's key, and that it may use this model";
}

function rejectionHint(status: number): string | undefined {
  return status === 404 ? "check base_url, wire_api and the model's name" : undefined;
}

function isHtml(headers: Headers, body: string): boolean {
  return headers.get("content-type")?.includes("text/html") === true || /^\s*<(!doctype|html)/i.test(body);
}
