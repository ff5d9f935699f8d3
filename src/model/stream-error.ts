import { AppError } from "../util/errors.ts";
import { outOfQuota, overflow } from "./limit-errors.ts";
import { clip, isOutOfQuota, isOverflow, readProblem, waitInWords } from "./problem.ts";

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

function cutText(detail: string): string {
  return `stream disconnected before completion: ${detail}`;
}
