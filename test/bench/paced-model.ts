import { setTimeout as sleep } from "node:timers/promises";

export type PacedModel = AsyncDisposable & { baseUrl: string };

export const TOKENS = 2000;
const TOKEN_MS = 5;
const LINES = 3000;

/** A model on the responses wire: `answer-slowly` in a message gets 2,000 tokens, one each 5 ms; `answer-at-length` 3,000 lines. */
export function startPacedModel(): PacedModel {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    development: false,
    async fetch(request) {
      if (!new URL(request.url).pathname.endsWith("/responses"))
        return Response.json({ object: "list", data: [{ id: "fake-1", object: "model" }] });
      const body = await request.text();
      const isLong = body.lastIndexOf("answer-at-length") > body.lastIndexOf("answer-slowly");
      const [pieces, pauseMs] = isLong ? [longAnswer(), 0] : [slowAnswer(), TOKEN_MS];
      return new Response(events(pieces, pauseMs), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function slowAnswer(): string[] {
  const words = Array.from({ length: TOKENS - 1 }, (_, i) => {
    if (i % 120 === 119) return "end.\n\n";
    if (i % 40 === 39) return "`code` ";
    return i % 17 === 16 ? "**bold** " : "word ";
  });
  return [...words, "\n\nSTREAM-END"];
}

function longAnswer(): string[] {
  const lines = Array.from({ length: LINES - 1 }, (_, i) => {
    const block = Math.floor(i / 20) % 3;
    if (block === 0) return `- entry ${i} with **bold** and \`code\` in it\n`;
    if (block === 1)
      return i % 20 === 0 ? "\n```ts\n" : i % 20 === 19 ? "```\n" : `const value${i} = "text"; // ${i}\n`;
    return i % 20 === 0 ? "\n" : `A line of prose, number ${i}, that is of a usual length for an answer.\n`;
  });
  return [...lines, "\n\nLONG-END"];
}

function events(pieces: readonly string[], pauseMs: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const event = (type: string, fields: object) =>
    encoder.encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const item = { type: "message", id: "msg_1", role: "assistant" };
  const content = [{ type: "output_text", text: pieces.join("") }];
  const usage = { input_tokens: 10, output_tokens: pieces.length, total_tokens: 10 + pieces.length };
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(event("response.created", { response: { id: "resp_1" } }));
      controller.enqueue(
        event("response.output_item.added", { output_index: 0, item: { ...item, content: [] } }),
      );
      const startedAt = performance.now();
      for (const [i, delta] of pieces.entries()) {
        const early = startedAt + i * pauseMs - performance.now();
        if (early > 0) await sleep(early);
        controller.enqueue(event("response.output_text.delta", { output_index: 0, item_id: "msg_1", delta }));
      }
      controller.enqueue(event("response.output_item.done", { output_index: 0, item: { ...item, content } }));
      controller.enqueue(
        event("response.completed", { response: { id: "resp_1", status: "completed", usage } }),
      );
      controller.close();
    },
  });
}
