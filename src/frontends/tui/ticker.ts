const INTERVAL_MS = 125;

/** Calls `tick` again and again while something is going on; nothing runs before `start` and after `stop`. */
export class Ticker {
  readonly #tick: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #startedAt = 0;

  constructor(tick: () => void) {
    this.#tick = tick;
  }

  /** How many ticks there were; undefined while still. */
  get count(): number | undefined {
    if (this.#timer === undefined) return undefined;
    return Math.floor((performance.now() - this.#startedAt) / INTERVAL_MS);
  }

  start(): void {
    this.stop();
    this.#startedAt = performance.now();
    this.#timer = setInterval(this.#tick, INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
