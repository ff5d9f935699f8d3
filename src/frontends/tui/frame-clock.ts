const FRAME_MS = 50;
/**
 * A multiplexer lays its screen out anew at once, but tells us of sizes that follow each other no more often than every
 * 250 ms. A frame drawn in between lands in the wrong rows, for good.
 */
const SETTLING_MS = 300;
/** Where the terminal does not keep up. */
const SLOW_FRAME_MS = 100;

/** Decides when to draw: at once for a key, else at most 20 times a second, which reads as flowing. No timer runs when nothing was asked for. */
export class FrameClock {
  readonly #draw: () => void;
  readonly #isBehind: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #settledAt = 0;
  #isStopped = false;

  constructor(draw: () => void, isBehind: () => boolean) {
    this.#draw = draw;
    this.#isBehind = isBehind;
  }

  /** Something changed; it is on the screen within a frame's time. */
  request(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    const pause = this.#isBehind() ? SLOW_FRAME_MS : FRAME_MS;
    const wait = Math.max(0, this.#last + pause - performance.now(), this.#settledAt - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isBehind()) this.request();
      else this.now();
    }, wait);
  }

  /** Draws at once. */
  now(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = performance.now();
    this.#draw();
  }

  /** The size has changed: draws at once, and then only for keys until another size would have been told. */
  resized(): void {
    this.now();
    this.#settledAt = performance.now() + SETTLING_MS;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
