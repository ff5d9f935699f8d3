import type { InputEvent } from "./input/keys.ts";
import type { Asker } from "./prompts/asker.ts";
import type { PromptHost } from "./prompts/host.ts";
import { KeyLine } from "./prompts/key-line.ts";

export type DialogOwner = {
  /** What a question needs of the terminal, but for its keys. */
  readonly surface: Omit<PromptHost, "keys">;
  /** Gets the keys that no question took. */
  give(event: InputEvent): void;
  readonly signal: AbortSignal;
};

/** Questions beside the composer: while one is open or is coming, keys are its own. */
export class Dialogs {
  readonly #owner: DialogOwner;
  #keys: KeyLine | undefined;

  constructor(owner: DialogOwner) {
    this.#owner = owner;
  }

  /** Takes an event for a question; false when none is there or coming. */
  take(event: InputEvent): boolean {
    this.#keys?.push(event);
    return this.#keys !== undefined;
  }

  /** A question is coming: from here on, keys wait for it. */
  hold(): void {
    this.#keys ??= new KeyLine();
  }

  /** No further question is coming: what is left belongs to the composer. */
  release(): void {
    const rest = this.#keys?.rest() ?? [];
    this.#keys = undefined;
    for (const event of rest) this.#owner.give(event);
  }

  /** Lets `work` ask; what is typed behind its last question is the composer's. */
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
    const keys = this.#keys ?? new KeyLine();
    const { withDialog } = await import("./prompts/dialog.ts");
    const { surface, signal } = this.#owner;
    const host: PromptHost = Object.defineProperties(
      { ...surface, keys },
      {
        columns: { get: () => surface.columns },
        rows: { get: () => surface.rows },
      },
    );
    return await withDialog(host, work, signal);
  }
}
