import { GUARD_MS } from "./approval/keys.ts";
import type { InputEvent } from "./input/keys.ts";
import type { Asker } from "./prompts/asker.ts";
import type { PromptHost } from "./prompts/host.ts";
import { KeyLine } from "./prompts/key-line.ts";

export type DialogOwner = {
  /** What a question needs of the terminal, but for its keys. */
  readonly surface: Omit<PromptHost, "keys">;
  /** Gets the keys that no question took. */
  give(event: InputEvent): void;
  /** No question is open or coming any more. */
  released(): void;
  readonly signal: AbortSignal;
};

/** Questions beside the composer: while one is open or is coming, keys are its own. */
export class Dialogs {
  readonly #owner: DialogOwner;
  #keys: KeyLine | undefined;
  /** A question that nobody called for takes no key before this moment, in ms since the epoch. */
  #opensAt = 0;

  constructor(owner: DialogOwner) {
    this.#owner = owner;
  }

  get isBusy(): boolean {
    return this.#keys !== undefined;
  }

  /** Takes an event for a question; false when none is there or coming. */
  take(event: InputEvent): boolean {
    if (!this.#keys) return false;
    const now = Date.now();
    // Still typing: the question opens when the hands have rested.
    if (now < this.#opensAt) this.#opensAt = now + GUARD_MS;
    else this.#keys.push(event);
    return true;
  }

  /** A question is coming: from here on, keys wait for it. */
  hold(): void {
    this.#keys ??= new KeyLine();
  }

  /** No further question is coming: what is left belongs to the composer. */
  release(): void {
    const rest = this.#keys?.rest() ?? [];
    this.#keys = undefined;
    this.#opensAt = 0;
    for (const event of rest) this.#owner.give(event);
    this.#owner.released();
  }

  /** Lets `work` ask; what is typed after its last question is the composer's. */
  async ask<T>(work: (asker: Asker) => Promise<T>): Promise<T> {
    try {
      return await this.open(work);
    } finally {
      this.release();
    }
  }

  /** Lets `work` ask. Keys that follow its last question wait for `release`. */
  async open<T>(work: (asker: Asker) => Promise<T>): Promise<T> {
    this.hold();
    const { withDialog } = await import("./prompts/dialog.ts");
    return await withDialog(this.#host(), work, this.#owner.signal);
  }

  /**
   * Lets `work` ask what the user has not called for: until it is there, keys are the composer's, and then none counts
   * before the hands have rested. An abort of `signal` closes the question.
   */
  async interject<T>(work: (asker: Asker) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { withDialog } = await import("./prompts/dialog.ts");
    this.hold();
    this.#opensAt = Date.now() + GUARD_MS;
    try {
      return await withDialog(this.#host(), work, AbortSignal.any([signal, this.#owner.signal]));
    } finally {
      this.release();
    }
  }

  #host(): PromptHost {
    const keys = this.#keys ?? new KeyLine();
    const { surface } = this.#owner;
    return Object.defineProperties(
      { ...surface, keys },
      {
        columns: { get: () => surface.columns },
        rows: { get: () => surface.rows },
      },
    );
  }
}
