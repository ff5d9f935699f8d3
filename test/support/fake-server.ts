import { type FakeAnswer, type FakePart, fakeAnswer } from "./fake-answer.ts";
import { serveOnLoopback } from "./loopback.ts";

/** What the server answers to one model request, on whichever wire it came. */
export type FakeTurn =
  | ({ kind: "answer" } & FakeAnswer)
  | { kind: "status"; status: number; body: unknown; headers?: Record<string, string> }
  /** The bytes as they are; then the connection is closed, torn, or left open in silence. */
  | {
      kind: "raw";
      chunks: readonly (string | Uint8Array)[];
      contentType?: string;
      end?: "close" | "cut" | "hang";
    };
/** Decides when it sees the request: after waiting for something, or by what was asked. */
export type FakeChoice = (request: RecordedRequest) => FakeTurn | Promise<FakeTurn>;
export type RecordedRequest = {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: unknown;
};
export type FakeServer = AsyncDisposable & {
  /** Ends in /v1. */
  baseUrl: string;
  /** Model requests, in order. */
  requests: RecordedRequest[];
};

export function says(text: string): FakeTurn {
  return { kind: "answer", parts: [{ type: "text", text }] };
}

export function calls(name: string, input: unknown, id?: string): FakeTurn {
  return { kind: "answer", parts: [{ type: "call", name, input, ...(id === undefined ? {} : { id }) }] };
}

export function answers(...parts: FakePart[]): FakeTurn {
  return { kind: "answer", parts };
}

export function refuses(status: number, body: unknown, headers: Record<string, string> = {}): FakeTurn {
  return { kind: "status", status, body, headers };
}

export function sends(
  chunks: readonly (string | Uint8Array)[],
  options: { contentType?: string; end?: "close" | "cut" | "hang" } = {},
): FakeTurn {
  return { kind: "raw", chunks, ...options };
}

const MODEL_PATH = /\/(responses|chat\/completions|messages)$/;

/** A model server on loopback that plays a script, one turn a request: `await using server = startFakeServer([...])`. */
export function startFakeServer(turns: readonly (FakeTurn | FakeChoice)[]): FakeServer {
  const requests: RecordedRequest[] = [];
  const server = serveOnLoopback(async (request) => {
    const url = new URL(request.url);
    const wire = MODEL_PATH.exec(url.pathname)?.[1];
    if (!wire) return Response.json({ object: "list", data: [{ id: "fake-1", object: "model" }] });
    const recorded = {
      method: request.method,
      path: url.pathname,
      query: url.search,
      headers: Object.fromEntries(request.headers),
      body: await request.json(),
    };
    const count = requests.push(recorded);
    const turn = turns[count - 1];
    if (!turn) return exhausted();
    return answer(typeof turn === "function" ? await turn(recorded) : turn, wire, count);
  });
  return { ...server, baseUrl: `${server.origin}/v1`, requests };
}

function answer(turn: FakeTurn, wire: string, count: number): Response {
  switch (turn.kind) {
    case "status": {
      const text = typeof turn.body === "string" ? turn.body : JSON.stringify(turn.body);
      return new Response(text, { status: turn.status, headers: turn.headers });
    }
    case "answer":
      return streamOf(fakeAnswer(turn, wire, count), "text/event-stream", "close");
    case "raw":
      return streamOf(turn.chunks, turn.contentType ?? "text/event-stream", turn.end ?? "close");
  }
}

function exhausted(): Response {
  return Response.json(
    { error: { message: "the script has no turn left for this request" } },
    { status: 400 },
  );
}

function streamOf(
  chunks: readonly (string | Uint8Array)[],
  contentType: string,
  end: "close" | "cut" | "hang",
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
        // One write for each chunk, so that the client sees the cuts.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (end === "close") controller.close();
      if (end === "cut") controller.error(new Error("torn on purpose"));
    },
  });
  return new Response(body, { headers: { "content-type": contentType } });
}
