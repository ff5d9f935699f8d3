import { terminalSafe } from "../../../util/untrusted-text.ts";
import type {
  Asker,
  Choice,
  ChoiceQuestion,
  ConfirmQuestion,
  ManyQuestion,
  Task,
  TextQuestion,
} from "../prompts/asker.ts";

export type PlainAskerOptions = {
  /** Writes at once; a line ends with `\n`. */
  write(text: string): void;
  /** Switches the terminal's echo; nothing happens where there is none. */
  setEcho(isOn: boolean): void;
  /** A question is open and takes the next line. */
  onOpen(): void;
};

/** Asks in lines: choices have numbers, and an answer ends with Enter. The owner of the input hands on lines and Ctrl+C. */
export class PlainAsker implements Asker {
  readonly #options: PlainAskerOptions;
  #waiting: ((line: string | undefined) => void) | undefined;
  #task: AbortController | undefined;
  #isClosed = false;

  constructor(options: PlainAskerOptions) {
    this.#options = options;
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** Something that Ctrl+C ends is going on: a question or a task. */
  get isBusy(): boolean {
    return this.isWaiting || this.#task !== undefined;
  }

  take(line: string): void {
    this.#settle(line);
  }

  /** Puts the open question aside, and stops the task. */
  cancel(): void {
    this.#task?.abort();
    this.#settle(undefined);
  }

  /** There are no more lines: every question is put aside. */
  close(): void {
    this.#isClosed = true;
    this.cancel();
  }

  async choose<T>({ message, choices, initial }: ChoiceQuestion<T>): Promise<T | undefined> {
    this.say(`needs answer: ${message}`);
    for (const [i, choice] of choices.entries()) this.say(`  ${numbered(choice, i, choices.length)}`);
    const preset = initial === undefined ? "" : `, Enter for ${initial + 1}`;
    const ask = `answer with a number${preset}: `;
    for (;;) {
      const line = await this.#line(ask);
      if (line === undefined) return undefined;
      const chosen = chosenBy(line.trim(), choices, initial);
      if (chosen) return chosen.value;
      this.say(`There is no choice "${line.trim()}". Type a number from 1 to ${choices.length}.`);
    }
  }

  async chooseMany<T>({ message, choices, marked }: ManyQuestion<T>): Promise<T[] | undefined> {
    this.say(`needs answer: ${message}`);
    for (const [i, choice] of choices.entries()) this.say(`  ${numbered(choice, i, choices.length)}`);
    for (;;) {
      const preset = marked?.map((index) => index + 1).join(" ") || "none";
      const line = await this.#line(`answer with numbers, for example 1 3, or Enter for ${preset}: `);
      if (line === undefined) return undefined;
      const given = line.trim() === "" && preset !== "none" ? preset : line;
      const wanted = given.split(/[\s,]+/).filter((word) => word !== "");
      const chosen = wanted.map((word) => (/^\d+$/.test(word) ? choices[Number(word) - 1] : undefined));
      const found = chosen.filter((choice) => choice !== undefined);
      if (found.length === chosen.length) return [...new Set(found)].map(({ value }) => value);
      this.say(`"${line.trim()}" names no choices. Type numbers from 1 to ${choices.length}.`);
    }
  }

  async confirm({ message, yes = "yes", no = "no" }: ConfirmQuestion): Promise<boolean | undefined> {
    const choices = [
      { value: false, label: no },
      { value: true, label: yes },
    ];
    return await this.choose({ message, choices, initial: 0 });
  }

  async text({ message, initial, placeholder, check }: TextQuestion): Promise<string | undefined> {
    const example = placeholder === undefined ? "" : `, for example ${placeholder}`;
    const preset = initial === undefined ? "" : `, Enter for ${initial}`;
    this.say(`needs answer: ${message}${example}${preset}`);
    for (;;) {
      const line = await this.#line("answer: ");
      if (line === undefined) return undefined;
      const value = line.trim() === "" && initial !== undefined ? initial : line.trim();
      const problem = check?.(value);
      if (problem === undefined) return value;
      this.say(`Not taken: ${problem}.`);
    }
  }

  async secret(question: TextQuestion): Promise<string | undefined> {
    this.#options.setEcho(false);
    try {
      return await this.text({ ...question, message: `${question.message} (not shown while you type)` });
    } finally {
      this.#options.setEcho(true);
      this.#options.write("\n");
    }
  }

  say(text: string): void {
    this.#options.write(`${terminalSafe(text)}\n`);
  }

  async work<T>({ title, run }: Task<T>): Promise<T | undefined> {
    const task = new AbortController();
    this.#task = task;
    this.say(`running: ${title}`);
    const steps = new Tenths();
    try {
      const result = await run((text) => {
        if (steps.isNews(text)) this.say(`  ${text}`);
      }, task.signal);
      this.say(`done: ${title}`);
      return result;
    } catch (cause) {
      this.say(`${task.signal.aborted ? "stopped" : "failed"}: ${title}`);
      if (task.signal.aborted) return undefined;
      throw cause;
    } finally {
      this.#task = undefined;
    }
  }

  #line(prompt: string): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    this.#options.write(prompt);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#waiting = resolve;
    this.#options.onOpen();
    return promise;
  }

  #settle(line: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(line);
  }
}

function numbered<T>({ label, hint }: Choice<T>, i: number, count: number): string {
  const number = String(i + 1).padStart(String(count).length);
  return `${number}. ${label}${hint === undefined ? "" : ` (${hint})`}`;
}

function chosenBy<T>(
  answer: string,
  choices: readonly Choice<T>[],
  initial: number | undefined,
): Choice<T> | undefined {
  if (answer === "") return initial === undefined ? undefined : choices[initial];
  if (/^\d+$/.test(answer)) return choices[Number(answer) - 1];
  const own = choices.find(({ key }) => key === answer);
  return own ?? choices.find(({ label }) => nameIn(label) === answer.toLowerCase());
}

/** A label may have columns after the name. Its beginning is not enough: the line may have been meant for the model. */
function nameIn(label: string): string | undefined {
  return label.toLowerCase().split(/\s{2,}/)[0];
}

/** A task reports many times a second; a line is worth it when something new has begun, or a tenth more is done. */
class Tenths {
  #last = "";

  isNews(text: string): boolean {
    const [, done, doneUnit, all, allUnit] = /^([\d.]+) (\S+) of ([\d.]+) (\w+)/.exec(text) ?? [];
    const share = (Number(done) * (UNITS[doneUnit ?? ""] ?? 1)) / (Number(all) * (UNITS[allUnit ?? ""] ?? 1));
    const now = done === undefined ? text : `${allUnit}${all} ${Math.floor(share * 10)}`;
    const isNew = now !== this.#last;
    this.#last = now;
    return isNew;
  }
}

const UNITS: Readonly<Record<string, number>> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
