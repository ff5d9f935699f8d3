import type { AppError } from "../util/errors.ts";
import { streamCut } from "./stream-error.ts";

/** How long a server may hold the line open after it has said that its answer is over. */
const HANG_UP_MS = 2_000;
/** A longer delay would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Fires its signal when nothing was heard for a while. One timer for the whole stream, whatever the number of chunks. */
export class IdleWatch {
  hasExpired = false;
  /** The answer is over already, so silence is its end and no failure. */
  isOver = false;
  #limitMs: number;
  readonly #usualLimitMs: number;
  #heardAt = performance.now();
  #timer: ReturnType<typeof setTimeout>;
  readonly #controller = new AbortController();

  constructor(limitMs: number, startLimitMs: number) {
    this.#usualLimitMs = limitMs;
    this.#limitMs = startLimitMs;
    this.#timer = this.#timerFor(startLimitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.#heardAt = performance.now();
    if (this.#limitMs === this.#usualLimitMs || this.isOver) return;
    this.#limitMs = this.#usualLimitMs;
    this.#arm(this.#limitMs);
  }

  /** From here on the server only has to hang up. */
  expectEnd(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#limitMs = Math.min(HANG_UP_MS, this.#usualLimitMs);
    this.#arm(this.#limitMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the request itself, too. */
  close(): void {
    this.stop();
    this.#controller.abort();
  }

  error(): AppError {
    return streamCut(`nothing came from the server for ${Math.round(this.#limitMs / 100) / 10} s`);
  }

  #arm(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = this.#timerFor(delayMs);
  }

  #timerFor(delayMs: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#check(), Math.min(delayMs, LONGEST_TIMER_MS));
  }

  #check(): void {
    const leftMs = this.#limitMs - (performance.now() - this.#heardAt);
    if (leftMs > 0) {
      this.#arm(leftMs);
      return;
    }
    this.hasExpired = true;
    this.#controller.abort();
  }
}
