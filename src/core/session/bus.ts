import type { Emit, TurnEvent } from "../../protocol/events.ts";

/** Ordered, synchronous fan-out. A listener that throws is dropped and reported; the others go on. */
export class EventBus {
  readonly #listeners = new Set<Emit>();
  readonly #onBroken: (cause: unknown) => void;

  constructor(onBroken: (cause: unknown) => void) {
    this.#onBroken = onBroken;
  }

  subscribe(listener: Emit): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  emit(event: TurnEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (cause) {
        this.#listeners.delete(listener);
        this.#onBroken(cause);
      }
    }
  }
}
