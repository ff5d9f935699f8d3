import { type Item, userText } from "../../protocol/items.ts";

const REMIND_AT = [0.5, 0.8, 0.95];

/** Reminders of the time that is left, each due once. Times in ms since the epoch. */
export class TimeLeft {
  readonly #startedAt: number;
  readonly #endsAt: number;
  #next = 0;

  constructor({ startedAt, endsAt }: { startedAt: number; endsAt: number }) {
    this.#startedAt = startedAt;
    this.#endsAt = endsAt;
  }

  /** The reminder that is due now, if any. Several missed ones are one. */
  due(now: number): Item | undefined {
    const share = (now - this.#startedAt) / (this.#endsAt - this.#startedAt);
    const passed = REMIND_AT.filter((at) => share >= at).length;
    if (passed <= this.#next) return undefined;
    this.#next = passed;
    const seconds = Math.max(0, Math.round((this.#endsAt - now) / 1000));
    const advice =
      passed === REMIND_AT.length ? "Give your final answer now." : "Plan for it: finish what matters most.";
    return userText(
      `<time_left>About ${seconds} seconds are left before this run is stopped. ${advice}</time_left>`,
    );
  }
}
