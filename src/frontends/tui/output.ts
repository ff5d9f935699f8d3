import { writeSync } from "node:fs";
import { codeOf } from "../../util/fs.ts";

const RETRY_MS = 8;
/** At the end, a terminal that takes nothing any more is not waited for. */
const MOST_FLUSHES = 200;

/** Writes to a terminal at once, and in order. What it does not take (a slow link) is kept and written later. */
export class Output {
  readonly #fd: number;
  readonly #onLost: () => void;
  #rest: Uint8Array = new Uint8Array();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLost = false;

  constructor(fd: number, onLost: () => void) {
    this.#fd = fd;
    this.#onLost = onLost;
  }

  get isBehind(): boolean {
    return this.#rest.length > 0;
  }

  write(text: string): void {
    if (this.#isLost || text === "") return;
    const bytes = Buffer.from(text);
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#push();
  }

  /** Tries to write all of it now. */
  flush(): void {
    for (let i = 0; i < MOST_FLUSHES && this.#rest.length > 0; i++) {
      this.#push();
      if (this.#rest.length > 0) Bun.sleepSync(1);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#isLost = true;
  }

  #push(): void {
    clearTimeout(this.#timer);
    try {
      while (this.#rest.length > 0) this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest));
    } catch (cause) {
      if (codeOf(cause) === "EAGAIN") {
        this.#timer = setTimeout(() => this.#push(), RETRY_MS);
        return;
      }
      this.#isLost = true;
      this.#rest = new Uint8Array();
      this.#onLost();
    }
  }
}
