import { startPull } from "../../../core/local/pull.ts";
import { PullTotals } from "../../../core/local/pull-progress.ts";
import type { Asker } from "../prompts/asker.ts";
import { sayError } from "../prompts/say-error.ts";
import { durationText } from "../view/duration.ts";
import type { Around } from "./types.ts";

/** Asks for a name and downloads that model into Ollama. Undefined when there is none in the end. */
export async function pullModel(asker: Asker, { config, env }: Around): Promise<string | undefined> {
  const name = await asker.text({
    message: "Name of the model",
    placeholder: "qwen3:8b",
    check: (value) => (/^[\w./:-]+$/.test(value) ? undefined : "a name such as qwen3:8b"),
  });
  if (name === undefined) return undefined;
  try {
    const isDone = await asker.work({
      title: `pull ${name}`,
      run: async (report, signal) => {
        const steps = await startPull({ name, config, env, isUpdate: false }, signal);
        const course = new Course(() => performance.now());
        for await (const step of steps ?? []) report(course.take(step));
        return true;
      },
    });
    if (isDone) return name;
    asker.say("What was downloaded is kept: pull it again to resume.");
  } catch (cause) {
    sayError(asker, cause);
  }
  return undefined;
}

type Step = Parameters<PullTotals["take"]>[0];

/** How far a download is, and how long it will take. */
export class Course {
  readonly #totals: PullTotals;
  readonly #now: () => number;
  #start: { at: number; completed: number } | undefined;

  /** `now` in ms. */
  constructor(now: () => number) {
    this.#now = now;
    this.#totals = new PullTotals(now);
  }

  /** For example `1.2 GB of 4.7 GB, 34 MB/s, 1m 40s left`. */
  take(step: Step): string {
    this.#totals.take(step);
    const { total, completed } = this.#totals;
    if (total === 0) return step.status;
    this.#start ??= { at: this.#now(), completed };
    const elapsedMs = this.#now() - this.#start.at;
    const loaded = completed - this.#start.completed;
    const isTelling = elapsedMs > 500 && loaded > 0 && completed < total;
    const left = isTelling ? `, ${durationText(((total - completed) * elapsedMs) / loaded)} left` : "";
    return this.#totals.text() + left;
  }
}
