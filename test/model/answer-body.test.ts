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
      if (event.data === overAt) body.expectEnd();
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

test("blanks before an answer are passed over, and blanks without end are given up", async () => {
  const blanks = new Uint8Array(10_000).fill(10);
  const signal = new AbortController().signal;
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(blanks) });
  const readOf = (body: ReadableStream<Uint8Array>) =>
    readBody(new Response(body), "http://x", new IdleWatch(60_000, 60_000), signal);
  await expect(readOf(endless)).rejects.toThrow("the model's answer was given up after 100 MB");
  const parts = [blanks, blanks, new TextEncoder().encode(' {"a": 1}')];
  const late = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = parts.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
  expect(await readOf(late)).toEqual({ document: { a: 1 } });
});
