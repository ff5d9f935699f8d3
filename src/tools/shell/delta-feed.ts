/**
 * Passes output on while a command runs, in portions: soon, but not for every write, and no more than a listener can
 * bear. What is not passed on any more is still in the finished item.
 */
export class DeltaFeed {
  readonly #send: (chunk: string) => void;
  #pending = "";
  #sent = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (chunk: string) => void) {
    this.#send = send;
  }

  push(text: string): void {
    if (this.#sent >= MAX_DELTAS) return;
    this.#pending += text;
    if (this.#pending.length >= PORTION) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), INTERVAL_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending === "") return;
    const chunk = this.#pending;
    this.#pending = "";
    this.#sent++;
    this.#send(chunk);
  }
}

const MAX_DELTAS = 10_000;
const PORTION = 64 * 1024;
const INTERVAL_MS = 30;
