import type { PullProgress } from "../../providers/ollama/pull.ts";
import { sizeText } from "./size-text.ts";

/** Shows the course of a download. `finish` is called once, whatever happened. */
export type PullDisplay = {
  show(progress: PullProgress): void;
  finish(isDone: boolean): void;
};

/** How much of all layers that are known so far is there, in bytes, and how fast more of it comes. */
export class PullTotals {
  readonly #layers = new Map<string, { total: number; completed: number; present: number }>();
  readonly #now: () => number;
  #startedAt: number | undefined;

  /** `now` in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  take({ layer, total, completed }: PullProgress): void {
    if (layer === undefined || total === undefined) return;
    this.#startedAt ??= this.#now();
    // What was there before this download began says nothing about its speed.
    const present = this.#layers.get(layer)?.present ?? completed ?? 0;
    this.#layers.set(layer, { total, completed: completed ?? 0, present });
  }

  get total(): number {
    return this.#sum(({ total }) => total);
  }

  get completed(): number {
    return this.#sum(({ completed }) => completed);
  }

  /** For example `1.2 GB of 4.7 GB, 34 MB/s`. */
  text(): string {
    const seconds = (this.#now() - (this.#startedAt ?? this.#now())) / 1000;
    const loaded = this.#sum(({ completed, present }) => completed - present);
    const rate = seconds > 0.5 && loaded > 0 ? `, ${sizeText(loaded / seconds)}/s` : "";
    return `${sizeText(this.completed)} of ${sizeText(this.total)}${rate}`;
  }

  #sum(of: (layer: { total: number; completed: number; present: number }) => number): number {
    return [...this.#layers.values()].reduce((sum, layer) => sum + of(layer), 0);
  }
}

/** One line for each step, and for each tenth of a layer: for logs and pipes. */
export function plainPullDisplay(write: (text: string) => void, now: () => number): PullDisplay {
  const totals = new PullTotals(now);
  let lastStatus = "";
  let lastTenth = -1;
  return {
    show(progress) {
      totals.take(progress);
      const { status, total, completed = 0 } = progress;
      const tenth = total ? Math.floor((10 * completed) / total) : -1;
      if (status === lastStatus && tenth === lastTenth) return;
      lastStatus = status;
      lastTenth = tenth;
      write(total ? `${status}: ${tenth * 10}% (${totals.text()})\n` : `${status}\n`);
    },
    finish() {},
  };
}
