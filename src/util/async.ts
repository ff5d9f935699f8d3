import { AppError } from "./errors.ts";

/** Waits `ms`; rejects with AppError "aborted" as soon as the signal fires. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new AppError("aborted", "interrupted"));
    const onAbort = () => {
      clearTimeout(timer);
      reject(new AppError("aborted", "interrupted"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Resolves with `work`, or with `fallback()` when it is still not done `graceMs` after the signal fired. */
export async function settleAfterAbort<T>(
  work: Promise<T>,
  fallback: () => T,
  graceMs: number,
  signal: AbortSignal,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const gaveUp = new Promise<T>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(fallback()), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, gaveUp]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener("abort", onAbort);
  }
}

/** Readers, `mostReaders` at a time, or one writer; waiters are served in order of arrival. */
export class SharedLock {
  readonly #mostReaders: number;
  #readers = 0;
  #writing = false;
  readonly #waiting: { exclusive: boolean; start: () => void }[] = [];

  constructor(mostReaders: number) {
    this.#mostReaders = mostReaders;
  }

  async run<T>(exclusive: boolean, work: () => Promise<T>): Promise<T> {
    await this.#enter(exclusive);
    try {
      return await work();
    } finally {
      if (exclusive) this.#writing = false;
      else this.#readers -= 1;
      this.#wake();
    }
  }

  #enter(exclusive: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ exclusive, start: resolve });
      this.#wake();
    });
  }

  #wake(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#writing || this.#readers >= (next.exclusive ? 1 : this.#mostReaders)) return;
      this.#waiting.shift();
      if (next.exclusive) this.#writing = true;
      else this.#readers += 1;
      next.start();
    }
  }
}
