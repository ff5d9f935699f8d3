import type { ModelEvent, ModelRequest } from "../../model/types.ts";
import type { Speed } from "../../protocol/usage.ts";

type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/**
 * Measures how fast a server of one's own answers, where it does not tell itself: the time to the first word, and the rate
 * from there on. `now` in ms.
 */
export function withMeasuredSpeed(stream: Stream, now: () => number): Stream {
  return async function* (request, signal) {
    const startedAt = now();
    let firstAt: number | undefined;
    for await (const event of stream(request, signal)) {
      if (isWritten(event)) firstAt ??= now();
      if (event.type === "finished" && event.speed === undefined && firstAt !== undefined)
        yield { ...event, speed: speedOf({ startedAt, firstAt, endedAt: now() }, event.usage?.output) };
      else yield event;
    }
  };
}

function isWritten({ type }: ModelEvent): boolean {
  return type !== "started" && type !== "loading" && type !== "notice" && type !== "finished";
}

type Times = { startedAt: number; firstAt: number; endedAt: number };

function speedOf({ startedAt, firstAt, endedAt }: Times, tokens: number | undefined): Speed {
  const seconds = (endedAt - firstAt) / 1000;
  return {
    firstTokenMs: firstAt - startedAt,
    ...(tokens !== undefined && tokens > 0 && seconds > 0 ? { tokensPerSecond: tokens / seconds } : {}),
  };
}
