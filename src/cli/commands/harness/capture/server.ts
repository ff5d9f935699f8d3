import { z } from "zod";
import { answerTo } from "./answers.ts";
import type { Json, Recorded, Step, Wire } from "./types.ts";

export type ProbeServer = AsyncDisposable & {
  /** Without `/v1`. */
  origin: string;
  /** Model requests with tools, in order. */
  requests: readonly Recorded[];
};

const MODEL_PATHS: readonly [RegExp, Wire][] = [
  [/\/responses$/, "responses"],
  [/\/chat\/completions$/, "chat"],
  [/\/messages$/, "messages"],
];
const Body = z.record(z.string(), z.unknown());

/**
 * A model server on loopback for the three wires. Requests with tools are recorded and answered by `next`; others (titles,
 * summaries) get a few words.
 */
export function startProbeServer(models: readonly string[], next: (request: Recorded) => Step): ProbeServer {
  const requests: Recorded[] = [];
  let count = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    development: false,
    error: () => new Response(null, { status: 500 }),
    async fetch(request) {
      const url = new URL(request.url);
      const wire = MODEL_PATHS.find(([path]) => path.test(url.pathname))?.[1];
      const text = request.method === "POST" ? await request.text() : "";
      const body = bodyOf(text);
      if (!wire || !body) return otherAnswer(url.pathname, models);
      count += 1;
      if (!hasTools(body)) return answerTo(wire, { text: "Probe" }, { body, count });
      const headers = Object.fromEntries(request.headers);
      const recorded = { wire, query: url.search.replace(/^\?/, ""), headers, body };
      requests.push(recorded);
      return answerTo(wire, next(recorded), { body, count });
    },
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function bodyOf(text: string): Json | undefined {
  try {
    return Body.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function hasTools({ tools }: Json): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

/** Programs ask for lists of models and counts of tokens; what else they want can wait. */
function otherAnswer(path: string, models: readonly string[]): Response {
  if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 1000 });
  const data = models.map((id) => ({ id, object: "model", type: "model", display_name: id }));
  return Response.json({ object: "list", data, models: [], has_more: false });
}
