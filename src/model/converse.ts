import type { WireApi } from "../protocol/items.ts";
import { toAppError } from "../util/errors.ts";
import { isRecord, type Json } from "../util/json.ts";
import type { AnswerBody } from "./answer-body.ts";
import { END_MARK, valuesIn } from "./event-data.ts";
import { addressBelow, headersFor } from "./exchange.ts";
import { quirksFor } from "./quirks.ts";
import { learnRefusal, noRefusals, type Refusals, withoutRefused, withoutRefusedItems } from "./refusals.ts";
import { inForms } from "./refused-forms.ts";
import { secretFree } from "./secret-free.ts";
import { streamCut, streamError } from "./stream-error.ts";
import { post } from "./transport.ts";
import type { Endpoint, ModelEvent, ModelRequest, Quirks, RequestPreview, Wire } from "./types.ts";

/** The protocol of one wire: where requests go, what they hold, and how answers are read. */
export type Protocol = {
  id: WireApi;
  path(baseUrl: string): string;
  headers: Readonly<Record<string, string>>;
  body(request: ModelRequest, traits: ServerTraits): Json;
  reader(request: ModelRequest): AnswerReader;
  /** For a server whose streams are not made of server-sent events. */
  send?: typeof post;
};
/** Where a server differs from the documented protocol. `mergeRoles`: it refuses two messages of one role in a row. */
export type ServerTraits = { quirks: Quirks; mergeRoles: boolean };

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

/** A wire that speaks `protocol`, remembers what each server has refused, and keeps keys out of its errors. */
export function makeWire(protocol: Protocol): Wire {
  const memory = new Map<string, Refusals>();
  return {
    id: protocol.id,
    stream(request, endpoint, signal) {
      const key = `${endpoint.baseUrl} ${request.model}`;
      const refusals = memory.get(key) ?? noRefusals();
      memory.set(key, refusals);
      return secretFree(converse(protocol, request, endpoint, refusals, signal), endpoint);
    },
    preview: (request, endpoint) => previewOf(protocol, request, endpoint),
  };
}

function previewOf(protocol: Protocol, request: ModelRequest, endpoint: Endpoint): RequestPreview {
  const way = endpointFor(request, endpoint);
  const defaults = { "content-type": "application/json", ...protocol.headers };
  return {
    url: addressBelow(way.baseUrl, protocol.path(way.baseUrl), way.query),
    headers: Object.fromEntries(headersFor(way, defaults, request.extraHeaders)),
    body: bodyFor(protocol, request, endpoint, noRefusals()),
  };
}

async function* converse(
  protocol: Protocol,
  request: ModelRequest,
  endpoint: Endpoint,
  refusals: Refusals,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const answer = await ask(protocol, request, endpoint, refusals, signal);
  const reader = protocol.reader(request);
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
    if (reader.state === "settled") answer.expectEnd();
  }
  const isSure = hasEndMark || reader.hasTrailer || answer.timedOut();
  if (reader.state === "settled" && !isSure && !refusals.omitsEndMark) {
    // A line that broke after the last words looks like a server that leaves the end mark out. One more try tells.
    refusals.omitsEndMark = true;
    throw streamCut("the stream ended without its end mark");
  }
  yield* reader.end(hasEndMark);
}

/** Sends the request, and again without the parts that the server refuses to know. */
async function ask(
  protocol: Protocol,
  request: ModelRequest,
  endpoint: Endpoint,
  refusals: Refusals,
  signal: AbortSignal,
): Promise<AnswerBody> {
  for (;;) {
    const body = bodyFor(protocol, request, endpoint, refusals);
    const call = {
      path: protocol.path(endpoint.baseUrl),
      body,
      defaultHeaders: protocol.headers,
      headers: request.extraHeaders,
    };
    try {
      return await (protocol.send ?? post)(call, endpointFor(request, endpoint), signal);
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

function bodyFor(protocol: Protocol, request: ModelRequest, endpoint: Endpoint, refusals: Refusals): Json {
  const { forms } = refusals;
  const quirks = {
    ...quirksFor(endpoint.baseUrl, request.model),
    ...endpoint.quirks,
    ...refusals.quirks,
    ...(forms.toolCallIdPattern === undefined ? {} : { toolCallIdPattern: forms.toolCallIdPattern }),
  };
  const items = withoutRefusedItems(request.items, refusals);
  const body = protocol.body(inForms({ ...request, items }, forms), {
    quirks,
    mergeRoles: refusals.repeatedRoles,
  });
  const extra = "tools" in body ? request.extraBody : { ...request.extraBody, ...NOT_WITHOUT_TOOLS };
  return withoutRefused(withExtra(body, extra), refusals);
}

/** What a harness says of the choice of tools; servers refuse it in a request without any, e.g. one for a summary. */
const NOT_WITHOUT_TOOLS = { tool_choice: null, parallel_tool_calls: null };

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
