/** Runs out when nothing is heard for a while, and nothing is being done that would be heard of. */
export class Patience {
  readonly #ms: number;
  readonly #runOut: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working = 0;
  #isOver = false;

  constructor(ms: number, runOut: () => void) {
    this.#ms = ms;
    this.#runOut = runOut;
    this.renew();
  }

  renew(): void {
    clearTimeout(this.#timer);
    if (this.#working === 0 && !this.#isOver) this.#timer = setTimeout(this.#runOut, this.#ms);
  }

  /** Waits for work, which does not fail. */
  extend(work: Promise<void>): void {
    this.#working += 1;
    void work.then(() => {
      this.#working -= 1;
      this.renew();
    });
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
