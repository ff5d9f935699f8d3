import { AppError } from "../util/errors.ts";
import { isLoopback } from "../util/near-address.ts";
import {
  isOutOfQuota,
  isOverflow,
  isSetUpWithoutIt,
  isTooLargeForLimit,
  type Problem,
  readProblem,
  resetTime,
  waitInWords,
} from "./problem.ts";
import { SHORTEST_SECRET } from "./secret-free.ts";

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

const MOST_SHOWN = 1_500;
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

/** The error for an answer that ended before it began, because the request left no room for it. */
export function noRoomForAnswer(finish: string): AppError {
  return overflow(`the server ended the answer with "${finish}"`);
}

/** What is said of an answer that a server's filter has ended. Throws AppError when nothing of it was let through. */
export function filtered(text: string): { type: "notice"; message: string } {
  const message = "the model's answer was stopped by a content filter or a refusal of the server";
  if (text.trim() === "")
    throw new AppError("model.rejected", message, { hint: "put it in other words, or use another model" });
  return { type: "notice", message };
}

/** The error for an error object inside a stream, or inside a document with status 200. */
export function streamError(value: unknown): AppError {
  const problem = readProblem(value) ?? {
    message: "the server reported an error without a message",
    code: "",
    words: "",
  };
  const message = clip(problem.message);
  const text = `${problem.code} ${problem.words.slice(0, 2_000)}`;
  if (isOverflow(problem)) return overflow(message);
  if (isOutOfQuota(problem)) return outOfQuota(message);
  if (/rate_limit|too_many_requests|"?code"?: ?429\b/i.test(text)) {
    return new AppError("model.rate_limited", cutText(message), {
      retryable: true,
      retryAfterMs: waitInWords(problem.words),
    });
  }
  if (/authentication_error|permission_error|invalid_api_key/.test(text))
    return new AppError("auth", message);
  if (
    /invalid_request|invalid_prompt|not_found_error|model_not_found|policy|content_filter|unexpected endpoint/i.test(
      text,
    )
  )
    return new AppError("model.rejected", message);
  const code = /overloaded|slow_down/.test(text) ? "model.overloaded" : "model.stream_cut";
  return new AppError(code, cutText(message), { retryable: true, retryAfterMs: waitInWords(problem.words) });
}

/** The error for a stream that broke; the next attempt may work. */
export function streamCut(detail: string, cause?: unknown): AppError {
  return new AppError("model.stream_cut", cutText(detail), { retryable: true, cause });
}

/** The error for an answer that nothing can be done with. */
export function emptyAnswer(onlyThoughts: boolean): AppError {
  const found = onlyThoughts
    ? "it holds thoughts, but neither text nor a tool call"
    : "no text and no tool call";
  return new AppError("model.empty", `the model's answer was empty: ${found}`, {
    retryable: true,
    hint: "try again, or use another model",
  });
}

/** The error for a page where a model's answer was expected, with status 200. The page itself is never shown. */
export function pageInsteadOfStream(url: string, contentType: string): AppError {
  return new AppError(
    "model.rejected",
    `expected a model's answer from ${url}, got an HTML page (${contentType || "no content type"})`,
    { hint: "check base_url, and whether a proxy or sign-in page answers in its place" },
  );
}

/** The error for a redirect that is not followed. Both addresses come without their query. */
export function redirectError(status: number, url: string, target: string): AppError {
  return new AppError(
    "model.rejected",
    `expected an answer from ${url}, got a redirect (${status}) to ${clip(target)}`,
    { status, hint: "the key and the prompt stay here; if that address is right, set base_url to it" },
  );
}

/** The error for a server that gave no answer at all. `proxy` is the address that stood between. */
export function connectionError(cause: unknown, url: string, proxy?: string): AppError {
  if (!URL.canParse(url)) {
    return new AppError("config", `base_url must be a URL, the model's address is "${url}"`, {
      hint: "write it with its scheme, e.g. http://localhost:8080/v1",
      cause,
    });
  }
  const { hostname, port, host } = new URL(url);
  const reason = reasonOf(cause);
  const isRefused = /refused|unable to connect/i.test(reason);
  const isCertificate = /certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY/.test(reason);
  const isLocal = isLoopback(hostname);
  return new AppError("model.unreachable", `cannot reach the model server at ${host}: ${clip(reason)}`, {
    // Nobody listens on this machine: that does not change by waiting.
    retryable: !isCertificate && !(isRefused && isLocal),
    hint: connectionHint({ isLocal, isCertificate, port, proxy }),
    cause,
  });
}

function describe({ status, statusText, headers, body, url, apiKey }: HttpFailure, problem: Problem): string {
  if (isHtml(headers, body)) return `HTTP ${status} with an HTML page, url: ${url}`;
  const isSecret = apiKey !== undefined && apiKey.length >= SHORTEST_SECRET;
  const secretFree = (text: string) => (isSecret ? text.replaceAll(apiKey, "[key]") : text);
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

function overflow(message: string, status?: number): AppError {
  const text = /context/i.test(message)
    ? message
    : `the request does not fit into the context window: ${message}`;
  return new AppError("model.context_window", text, {
    status,
    hint: "start a new session, or compact this one",
  });
}

function outOfQuota(message: string, status?: number): AppError {
  return new AppError("model.rejected", message, {
    status,
    hint: "check the plan and the balance of the account",
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

type Way = { isLocal: boolean; isCertificate: boolean; port: string; proxy: string | undefined };

function connectionHint({ isLocal, isCertificate, port, proxy }: Way): string {
  if (isCertificate)
    return "name a file with the certificate of your proxy or server in CODEX_CA_CERTIFICATE, if you trust it";
  if (isLocal) return startHint(port);
  if (proxy === undefined) return "check the network connection and base_url";
  // The address may hold a password.
  const host = URL.canParse(proxy) ? new URL(proxy).host : "the proxy";
  return `requests go through the proxy ${host}; check it, or name the server in NO_PROXY`;
}

function startHint(port: string): string {
  if (port === "11434") return "start Ollama with `ollama serve`";
  if (port === "1234") return "start LM Studio's server with `lms server start`";
  return "start the server, or check base_url";
}

function isHtml(headers: Headers, body: string): boolean {
  return headers.get("content-type")?.includes("text/html") === true || /^\s*<(!doctype|html)/i.test(body);
}

/** Why a connection failed, without the advice that the runtime has for programmers. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause instanceof Error ? reasonOf(cause.cause) : undefined;
  if (/\bECONNREFUSED\b|^Unable to connect\b/.test(cause.message)) return "connection refused";
  return (
    inner ??
    cause.message.replace(/\.? ?(For more information, pass `verbose: true`|Was there a typo in).*$/s, "")
  );
}

/** The sentence, and why; that nobody listens is what the sentence says already. */
export function withReason(sentence: string, cause: unknown): string {
  const reason = reasonOf(cause);
  return /refused|unable to connect/i.test(reason) ? sentence : `${sentence}: ${clip(reason)}`;
}

function cutText(detail: string): string {
  return `stream disconnected before completion: ${detail}`;
}

/** Text of a server, short enough for a message and without control characters. */
export function clip(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const clean = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ").trim();
  return clean.length > MOST_SHOWN ? `${clean.slice(0, MOST_SHOWN)}…` : clean;
}
