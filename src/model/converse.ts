import type { WireApi } from "../protocol/items.ts";
import { toAppError } from "../util/errors.ts";
import { isRecord, type Json } from "../util/json.ts";
import type { AnswerBody } from "./answer-body.ts";
import { streamCut, streamError } from "./errors.ts";
import { END_MARK, valuesIn } from "./event-data.ts";
import { addressBelow, headersFor } from "./exchange.ts";
import { quirksFor } from "./quirks.ts";
import { learnRefusal, noRefusals, type Refusals, withoutRefused, withoutRefusedItems } from "./refusals.ts";
import { secretFree } from "./secret-free.ts";
import { post } from "./transport.ts";
import type { Endpoint, ModelEvent, ModelRequest, Quirks, RequestPreview, Wire } from "./types.ts";

/** How one wire speaks. */
export type Dialect = {
  id: WireApi;
  path(baseUrl: string): string;
  headers: Readonly<Record<string, string>>;
  body(request: ModelRequest, habits: Habits): Json;
  reader(request: ModelRequest): AnswerReader;
  /** For a server whose streams are not made of server-sent events. */
  send?: typeof post;
};
export type Habits = { quirks: Quirks; mergeRoles: boolean };

/** Turns what a server sends into events. Throws AppError for errors that the server reports inside the stream. */
export interface AnswerReader {
  /** The JSON of one event, and the name it had on the stream. */
  take(data: unknown, event: string): ModelEvent[];
  /** A whole answer, from a server that does not stream. */
  whole(document: unknown): ModelEvent[];
  /** The stream ended, with its end mark or without. Throws "model.stream_cut" when the answer was not complete. */
  end(hasEndMark: boolean): ModelEvent[];
  /** Something came that servers send only after the whole answer. */
  readonly hasTrailer?: boolean;
  /** "open": more must come. "settled": only trailing facts can come. "done": nothing more is to be read. */
  readonly state: "open" | "settled" | "done";
}

export function makeWire(dialect: Dialect): Wire {
  const memory = new Map<string, Refusals>();
  return {
    id: dialect.id,
    stream(request, endpoint, signal) {
      const key = `${endpoint.baseUrl} ${request.model}`;
      const refusals = memory.get(key) ?? noRefusals();
      memory.set(key, refusals);
      return secretFree(converse(dialect, request, endpoint, refusals, signal), endpoint);
    },
    preview: (request, endpoint) => previewOf(dialect, request, endpoint),
  };
}

function previewOf(dialect: Dialect, request: ModelRequest, endpoint: Endpoint): RequestPreview {
  const way = endpointFor(request, endpoint);
  const defaults = { "content-type": "application/json", ...dialect.headers };
  return {
    url: addressBelow(way.baseUrl, dialect.path(way.baseUrl), way.query),
    headers: Object.fromEntries(headersFor(way, defaults, request.extraHeaders)),
    body: bodyFor(dialect, request, endpoint, noRefusals()),
  };
}

async function* converse(
  dialect: Dialect,
  request: ModelRequest,
  endpoint: Endpoint,
  refusals: Refusals,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const answer = await ask(dialect, request, endpoint, refusals, signal);
  const reader = dialect.reader(request);
  if ("document" in answer) return yield* reader.whole(answer.document);
  let hasEndMark = false;
  for await (const { data, event } of answer.events) {
    const values = valuesIn(data);
    if (values.length === 0 && event === "error") throw streamError(data);
    for (const value of values) {
      hasEndMark ||= value === END_MARK;
      if (!hasEndMark && reader.state !== "done") yield* reader.take(value, event);
    }
    if (hasEndMark || reader.state === "done") break;
    if (reader.state === "settled") answer.hurry();
  }
  const isSure = hasEndMark || reader.hasTrailer || answer.wasWaitedFor();
  if (reader.state === "settled" && !isSure && !refusals.omitsEndMark) {
    // A line that broke after the last words looks like a server that leaves the end mark out. One more try tells.
    refusals.omitsEndMark = true;
    throw streamCut("the stream ended without its end mark");
  }
  yield* reader.end(hasEndMark);
}

/** Sends the request, and again without the parts that the server refuses to know. */
async function ask(
  dialect: Dialect,
  request: ModelRequest,
  endpoint: Endpoint,
  refusals: Refusals,
  signal: AbortSignal,
): Promise<AnswerBody> {
  for (;;) {
    const body = bodyFor(dialect, request, endpoint, refusals);
    const call = {
      path: dialect.path(endpoint.baseUrl),
      body,
      defaultHeaders: dialect.headers,
      headers: request.extraHeaders,
    };
    try {
      return await (dialect.send ?? post)(call, endpointFor(request, endpoint), signal);
    } catch (cause) {
      if (!learnRefusal(toAppError(cause), body, refusals)) throw cause;
    }
  }
}

/** The endpoint with what the harness asks of the way to it. */
function endpointFor({ extraQuery, keyHeader }: ModelRequest, endpoint: Endpoint): Endpoint {
  if (extraQuery === undefined && keyHeader === undefined) return endpoint;
  return {
    ...endpoint,
    query: { ...extraQuery, ...endpoint.query },
    keyHeader: keyHeader ?? endpoint.keyHeader,
  };
}

function bodyFor(dialect: Dialect, request: ModelRequest, endpoint: Endpoint, refusals: Refusals): Json {
  const quirks = {
    ...quirksFor(endpoint.baseUrl, request.model),
    ...endpoint.quirks,
    ...refusals.quirks,
  };
  const items = withoutRefusedItems(request.items, refusals);
  const body = dialect.body({ ...request, items }, { quirks, mergeRoles: refusals.repeatedRoles });
  return withoutRefused(withExtra(body, request.extraBody), refusals);
}

/** A harness adds keys to the body, changes them, or removes them with null. Objects are merged by their keys. */
function withExtra(body: Json, extra: Json): Json {
  const changed = Object.entries(extra).map(([key, value]) => {
    const own = body[key];
    return [key, isRecord(own) && isRecord(value) ? { ...own, ...value } : value] as const;
  });
  return Object.fromEntries(
    Object.entries({ ...body, ...Object.fromEntries(changed) }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  );
}
