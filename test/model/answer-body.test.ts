import { expect, test } from "bun:test";
import { readBody } from "../../src/model/answer-body.ts";
import { IdleWatch } from "../../src/model/idle-watch.ts";
import type { SseEvent } from "../../src/model/sse.ts";
import { toAppError } from "../../src/util/errors.ts";

/** A body that hands out one piece for each read and then breaks. */
function brokenAfter(...pieces: string[]): Response {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = left.shift();
        if (next) controller.enqueue(next);
        else controller.error(new Error("connection reset"));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream);
}

/** The events of a body that breaks after `data: b`; the answer counts as over from the event named `overAt` on. */
async function eventsOf(overAt: string | undefined) {
  const watch = new IdleWatch(60_000, 60_000);
  const body = await readBody(
    brokenAfter("data: a\n\n", "data: b\n\n"),
    "http://x",
    watch,
    new AbortController().signal,
  );
  if (!("events" in body)) throw new Error("expected a stream");
  const events: SseEvent[] = [];
  const error = await (async () => {
    for await (const event of body.events) {
      events.push(event);
      if (event.data === overAt) body.hurry();
    }
    return undefined;
  })().catch(toAppError);
  return { texts: events.map((event) => event.data), error: error?.message };
}

test("a connection that breaks within the answer is an error", async () => {
  expect(await eventsOf(undefined)).toEqual({
    texts: ["a", "b"],
    error: "stream disconnected before completion: connection reset",
  });
});

test("a connection that breaks after the answer is its end", async () => {
  expect(await eventsOf("b")).toEqual({ texts: ["a", "b"], error: undefined });
});
