/**
 * The same input, whose end is told a moment after its last bytes: whoever pipes a question in and closes the pipe still gets
 * the answer. An end that comes later than `graceMs` after the last bytes is told at once.
 */
export function withLateEnd(input: ReadableStream<Uint8Array>, graceMs: number): ReadableStream<Uint8Array> {
  let lastAt = 0;
  return input.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        lastAt = Date.now();
        controller.enqueue(bytes);
      },
      flush: () => Bun.sleep(Math.max(0, lastAt + graceMs - Date.now())),
    }),
  );
}

/** Long enough for an answer that asks no model. */
export const QUICK_ANSWER_MS = 500;
