import { AppError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { pageInsteadOfStream, reasonOf } from "./connection-error.ts";
import type { IdleWatch } from "./idle-watch.ts";
import { SseDecoder, type SseEvent } from "./sse.ts";
import { streamCut } from "./stream-error.ts";

/** An answer is a stream of events, or one JSON document from servers that do not stream. */
export type AnswerBody =
  | {
      events: AsyncIterable<SseEvent>;
      /** The answer is over: the server is not waited for much longer. */
      expectEnd(): void;
      /** Nothing came for so long that we closed the connection. */
      timedOut(): boolean;
    }
  | { document: unknown };

/** Far above what a model writes: compressed, a small message could fill the memory. */
const LONGEST_ANSWER_BYTES = 100_000_000;

/**
 * Finds out what the body of a successful response is, by its first characters: the content type is not to be trusted.
 * Throws AppError for an HTML page and for a document that is not JSON.
 */
export async function readBody(
  response: Response,
  url: string,
  watch: IdleWatch,
  signal: AbortSignal,
): Promise<AnswerBody> {
  const pieces = readText(response, watch, signal);
  let head = "";
  // Blanks before an answer say nothing, and a server may send them without end.
  while (head.trim() === "") {
    const next = await pieces.next();
    if (next.done) break;
    head = next.value;
  }
  const first = head.trimStart().charAt(0);
  if (first === "<") {
    await pieces.return();
    throw pageInsteadOfStream(url, response.headers.get("content-type") ?? "");
  }
  if (first !== "{" && first !== "[") {
    return {
      events: readEvents(head, pieces, watch),
      expectEnd: () => watch.expectEnd(),
      timedOut: () => watch.hasExpired,
    };
  }
  for await (const piece of pieces) head += piece;
  const document = parseJson(head);
  if (document === undefined) throw streamCut("the answer is JSON that does not parse");
  return { document };
}

async function* readEvents(
  head: string,
  pieces: AsyncGenerator<string, void>,
  watch: IdleWatch,
): AsyncGenerator<SseEvent, void> {
  const decoder = new SseDecoder();
  try {
    yield* decoder.push(head);
    for await (const piece of pieces) yield* decoder.push(piece);
  } catch (cause) {
    // Whatever breaks after the answer was complete is no loss.
    if (!watch.isOver) throw cause;
  } finally {
    await pieces.return();
  }
  yield* decoder.end();
}

function tooLong(): AppError {
  const megabytes = LONGEST_ANSWER_BYTES / 1_000_000;
  return new AppError("model.rejected", `the model's answer was given up after ${megabytes} MB`, {
    hint: "check what answers at base_url",
  });
}

/** The body as text: whole characters, without a byte order mark. Closes the connection when it is left early. */
export async function* readText(
  response: Response,
  watch: IdleWatch,
  signal: AbortSignal,
  mostBytes = LONGEST_ANSWER_BYTES,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      watch.heard();
      bytes += chunk.value.length;
      if (bytes > mostBytes) throw tooLong();
      const text = decoder.decode(chunk.value, { stream: true });
      if (text !== "") yield text;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } catch (cause) {
    if (signal.aborted) throw new AppError("aborted", "interrupted", { cause });
    if (watch.hasExpired) throw watch.error();
    throw cause instanceof AppError ? cause : streamCut(reasonOf(cause), cause);
  } finally {
    // An abort of the request is the one way that also frees a connection on which nothing comes any more.
    watch.close();
  }
}
