/** Calls `tick` again and again while something is going on; nothing runs before `start` and after `stop`. */
export class Ticker {
  readonly #tick: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #startedAt = 0;
  #intervalMs = 1000;

  constructor(tick: () => void) {
    this.#tick = tick;
  }

  /** How many ticks there were; undefined while still. */
  get count(): number | undefined {
    if (this.#timer === undefined) return undefined;
    return Math.floor((performance.now() - this.#startedAt) / this.#intervalMs);
  }

  start(intervalMs: number): void {
    this.stop();
    this.#intervalMs = intervalMs;
    this.#startedAt = performance.now();
    this.#timer = setInterval(this.#tick, intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
