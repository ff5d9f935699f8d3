import { isRecord, listOf, parseJson, textIn } from "../../util/json.ts";
import { makeWire } from "../converse.ts";
import { exchange, headersFor } from "../exchange.ts";
import type { Endpoint, ModelEvent, ModelRequest, Wire } from "../types.ts";
import { wholeText } from "../whole-text.ts";
import { ollamaRoot, sendLines } from "./ollama-lines.ts";
import { ollamaBody } from "./ollama-request.ts";
import { OllamaReader } from "./ollama-stream.ts";

/** Silence after which the server is asked whether it is loading the model, in ms. */
const LOADING_AFTER_MS = 3_000;
const PROBE_MS = 2_000;

/**
 * Ollama's own API. Only it takes the size of the context window, says how long a model stays in memory, and reports
 * errors that happen inside a stream: its other interfaces drop them.
 */
export function ollamaWire(loadingAfterMs = LOADING_AFTER_MS): Wire {
  const wire = makeWire({
    id: "ollama",
    path: () => "/api/chat",
    headers: { accept: "application/x-ndjson" },
    body: ollamaBody,
    reader: (request) => new OllamaReader(request),
    send: sendLines,
  });
  return {
    ...wire,
    stream: (request, endpoint, signal) =>
      withLoadingNotice(wire.stream(request, endpoint, signal), request, endpoint, loadingAfterMs),
    preview: (request, endpoint) =>
      wire.preview(request, { ...endpoint, baseUrl: ollamaRoot(endpoint.baseUrl), query: {} }),
  };
}

/** The server sends not a byte while it loads a model; asked beside, it lists only models that are loaded. */
async function* withLoadingNotice(
  events: AsyncIterable<ModelEvent>,
  { model }: ModelRequest,
  endpoint: Endpoint,
  afterMs: number,
): AsyncGenerator<ModelEvent, void> {
  const iterator = events[Symbol.asyncIterator]();
  const first = iterator.next();
  const isLate = await takesLonger(first, afterMs);
  if (isLate && !(await isLoaded(model, endpoint))) yield { type: "loading", model };
  try {
    for (let next = await first; !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function takesLonger(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  const done = work.then(
    () => false,
    () => false,
  );
  const isLate = await Promise.race([done, late]);
  clearTimeout(timer);
  return isLate;
}

/** True also when the server can't say: then nothing is claimed. */
async function isLoaded(model: string, endpoint: Endpoint): Promise<boolean> {
  try {
    const url = `${ollamaRoot(endpoint.baseUrl)}/api/ps`;
    const init = { headers: headersFor(endpoint, {}), signal: AbortSignal.timeout(PROBE_MS) };
    const body = parseJson(await wholeText(await exchange(url, init, endpoint)));
    if (!isRecord(body) || !Array.isArray(body["models"])) return true;
    return listOf(body["models"]).some((entry) => isRecord(entry) && textIn(entry["name"]) === model);
  } catch {
    return true;
  }
}
