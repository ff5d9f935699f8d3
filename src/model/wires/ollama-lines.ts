import { AppError, toAppError } from "../../util/errors.ts";
import { type AnswerBody, readText } from "../answer-body.ts";
import { connectionError, pageInsteadOfStream } from "../connection-error.ts";
import { exchange, headersFor, withRenewedKey } from "../exchange.ts";
import { IdleWatch } from "../idle-watch.ts";
import type { SseEvent } from "../sse.ts";
import type { ModelCall } from "../transport.ts";
import type { Endpoint } from "../types.ts";
import { explained } from "./ollama-errors.ts";

/** Loading a large model and reading a long prompt both happen before the first byte. */
const START_PATIENCE = 6;

/** The address of the server itself: settings often name the place of its other API, below /v1. */
export function ollamaRoot(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/(v1|api)$/, "");
}

/**
 * Posts a call and reads the answer as lines of JSON. Written here because the vendor's own client writes to standard
 * output when a request fails, has no timer for silence, and knows an error line only as a text without a status.
 */
export async function sendLines(
  call: ModelCall,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<AnswerBody> {
  const url = ollamaRoot(endpoint.baseUrl) + call.path;
  return await withRenewedKey(endpoint, (renewed) => attempt(url, call, renewed, signal), signal);
}

async function attempt(
  url: string,
  call: ModelCall,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<AnswerBody> {
  const watch = new IdleWatch(endpoint.idleTimeoutMs, endpoint.idleTimeoutMs * START_PATIENCE);
  const defaults = { "content-type": "application/json", ...call.defaultHeaders };
  try {
    const response = await exchange(
      url,
      {
        method: "POST",
        body: JSON.stringify(call.body),
        headers: headersFor(endpoint, defaults, call.headers),
        signal: AbortSignal.any([signal, watch.signal]),
      },
      endpoint,
    );
    // It says nothing at all before its first line is there, so from here on silence is not that of loading.
    watch.heard();
    return {
      events: withoutPage(lines(readText(response, watch, signal)), url, response),
      expectEnd: () => watch.expectEnd(),
      timedOut: () => watch.hasExpired,
    };
  } catch (cause) {
    watch.stop();
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (watch.hasExpired) throw watch.error();
    const model = String(call.body["model"]);
    if (cause instanceof AppError) throw explained(cause, model);
    throw explained(toAppError(connectionError(cause, url, endpoint.proxy)), model);
  }
}

/** A proxy or a sign-in page may stand where Ollama was. Throws AppError then. */
async function* withoutPage(
  events: AsyncIterable<SseEvent>,
  url: string,
  { headers }: Response,
): AsyncGenerator<SseEvent, void> {
  for await (const event of events) {
    if (event.data.trimStart().startsWith("<"))
      throw pageInsteadOfStream(url, headers.get("content-type") ?? "");
    yield event;
  }
}

async function* lines(pieces: AsyncGenerator<string, void>): AsyncGenerator<SseEvent, void> {
  // The pieces of a line that is not over; joined once, as a line can be megabytes long.
  let held: string[] = [];
  try {
    for await (const piece of pieces) {
      const parts = piece.split("\n");
      const last = parts.pop() ?? "";
      for (const part of parts) {
        const data = held.join("") + part;
        held = [];
        if (data.trim() !== "") yield { event: "", data };
      }
      held.push(last);
    }
  } finally {
    await pieces.return();
  }
  const data = held.join("");
  if (data.trim() !== "") yield { event: "", data };
}
