import type { AnswerReader } from "../../src/model/converse.ts";
import { SseDecoder } from "../../src/model/sse.ts";
import type { Endpoint, ModelEvent, ModelRequest, Wire } from "../../src/model/types.ts";
import { type Item, userText } from "../../src/protocol/items.ts";
import { toAppError } from "../../src/util/errors.ts";

export function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "fake-1",
    instructions: "Be brief.",
    items: [userText("go")],
    tools: [],
    parallelToolCalls: true,
    layout: {},
    extraBody: {},
    extraHeaders: {},
    ...change,
  };
}

export function endpoint(baseUrl: string, change: Partial<Endpoint> = {}): Endpoint {
  return { baseUrl, headers: {}, query: {}, quirks: {}, idleTimeoutMs: 5_000, maxRetries: 0, ...change };
}

/** All events of one answer. */
export async function ask(
  wire: Wire,
  to: Endpoint,
  what: ModelRequest = request(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of wire.stream(what, to, signal)) events.push(event);
  return events;
}

/** The error that ends an answer; fails when it ends well. */
export async function failure(answer: Promise<ModelEvent[]>) {
  const outcome = await answer.then(
    (events) => ({ events }),
    (cause: unknown) => ({ error: toAppError(cause) }),
  );
  if ("events" in outcome) throw new Error(`expected an error, got ${JSON.stringify(outcome.events)}`);
  const { code, message, retryable, status, hint, retryAfterMs } = outcome.error;
  return { code, message, retryable, status, hint, retryAfterMs };
}

export function itemsOf(events: readonly ModelEvent[]): Item[] {
  return events.flatMap((event) => (event.type === "item" ? [event.item] : []));
}

/** What a reader makes of a recorded stream. */
export function read(reader: AnswerReader, text: string): ModelEvent[] {
  return readPieces(reader, [text]);
}

/** The same, cut into pieces. */
export function readPieces(reader: AnswerReader, pieces: readonly string[]): ModelEvent[] {
  const decoder = new SseDecoder();
  const events: ModelEvent[] = [];
  for (const event of [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()]) {
    if (event.data === "[DONE]") return [...events, ...reader.end(true)];
    events.push(...reader.take(JSON.parse(event.data), event.event));
  }
  return [...events, ...reader.end(false)];
}

/** Frames of a chat stream, one a delta, ended as documented. */
export function chatStream(deltas: readonly unknown[], finish: string): string {
  const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const chunks = deltas.map((delta) =>
    frame({ id: "c1", choices: [{ index: 0, delta, finish_reason: null }] }),
  );
  const end = frame({ id: "c1", choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  return [...chunks, end, "data: [DONE]\n\n"].join("");
}
