import type { Choice } from "./asker.ts";
import type { Press } from "./virtual-terminal.ts";

const DOWN: Press = {
  text: undefined,
  key: { name: "down", sequence: "\u001b[B", ctrl: false, meta: false, shift: false },
};
const ENTER: Press = {
  text: "\r",
  key: { name: "return", sequence: "\r", ctrl: false, meta: false, shift: false },
};
const STEPS: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  left: -1,
  h: -1,
  down: 1,
  j: 1,
  right: 1,
  l: 1,
};

/** Keys that take a choice of a list at once: its number, and its own key. The list itself knows only one step at a time. */
export class Jumps {
  readonly #keys: readonly (string | undefined)[];
  #at: number;

  constructor(choices: readonly Choice<unknown>[], initial: number) {
    this.#keys = choices.map(({ key }) => key);
    this.#at = initial;
  }

  /** What the list is to be told in place of a key. */
  take(press: Press): Press[] {
    const wanted = press.text === undefined ? -1 : this.#wanted(press.text);
    const count = this.#keys.length;
    if (wanted >= 0) {
      const steps = (wanted - this.#at + count) % count;
      return [...Array.from({ length: steps }, () => DOWN), ENTER];
    }
    const step = STEPS[press.key.name ?? ""] ?? 0;
    if (!press.key.ctrl && !press.key.meta) this.#at = (this.#at + step + count) % count;
    return [press];
  }

  #wanted(text: string): number {
    const own = this.#keys.indexOf(text);
    if (own >= 0) return own;
    const number = /^[1-9]$/.test(text) ? Number(text) - 1 : -1;
    return number < this.#keys.length ? number : -1;
  }
}
