import type { InputEvent } from "../input/keys.ts";

/**
 * Events of the terminal that belong to questions, in their order. Whoever owns the terminal puts them in from the moment
 * a question is coming; what the questions left over is taken back with `rest`.
 */
export class KeyLine {
  readonly #events: InputEvent[] = [];
  #waiting: ((event: InputEvent | undefined) => void) | undefined;

  push(event: InputEvent): void {
    const waiting = this.#waiting;
    if (!waiting) {
      this.#events.push(event);
      return;
    }
    this.#waiting = undefined;
    waiting(event);
  }

  /** The next event; undefined when `signal` was aborted first, and then nothing is lost. One caller at a time. */
  next(signal: AbortSignal): Promise<InputEvent | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const first = this.#events.shift();
    if (first) return Promise.resolve(first);
    const { promise, resolve } = Promise.withResolvers<InputEvent | undefined>();
    const stop = () => {
      this.#waiting = undefined;
      resolve(undefined);
    };
    this.#waiting = (event) => {
      signal.removeEventListener("abort", stop);
      resolve(event);
    };
    signal.addEventListener("abort", stop, { once: true });
    return promise;
  }

  /** Takes what nobody asked for. */
  rest(): InputEvent[] {
    return this.#events.splice(0);
  }
}
