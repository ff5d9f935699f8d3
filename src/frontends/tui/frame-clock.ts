const FRAME_MS = 50;
/** Where the terminal does not keep up. */
const SLOW_FRAME_MS = 100;

/** Decides when to draw: at once for a key, else at most 20 times a second, which reads as flowing. No timer runs when nothing was asked for. */
export class FrameClock {
  readonly #draw: () => void;
  readonly #isBehind: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #isStopped = false;

  constructor(draw: () => void, isBehind: () => boolean) {
    this.#draw = draw;
    this.#isBehind = isBehind;
  }

  /** Something changed; it is on the screen within a frame's time. */
  request(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    const pause = this.#isBehind() ? SLOW_FRAME_MS : FRAME_MS;
    const wait = Math.max(0, this.#last + pause - performance.now());
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

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
