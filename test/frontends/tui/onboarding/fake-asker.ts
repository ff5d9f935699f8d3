import type {
  Asker,
  ChoiceQuestion,
  ConfirmQuestion,
  ManyQuestion,
  Task,
  TextQuestion,
} from "../../../../src/frontends/tui/prompts/asker.ts";

/** Answers questions from a list: a choice by the beginning of its label, a text as it is, undefined puts it aside. */
export class FakeAsker implements Asker {
  readonly seen: string[] = [];
  readonly #answers: (string | boolean | undefined)[];

  constructor(...answers: (string | boolean | undefined)[]) {
    this.#answers = answers;
  }

  async choose<T>({ message, choices, initial = 0 }: ChoiceQuestion<T>): Promise<T | undefined> {
    this.seen.push(`? ${message}`, ...choices.map(({ label }, i) => `${i === initial ? ">" : " "} ${label}`));
    const answer = this.#next();
    if (answer === undefined) return undefined;
    const choice = choices.find(({ label }) => label.startsWith(String(answer)));
    if (!choice) throw new Error(`no choice begins with ${answer}: ${choices.map(({ label }) => label)}`);
    return choice.value;
  }

  /** The answer holds the beginnings of the labels, with commas between them. */
  async chooseMany<T>({ message, choices, marked = [] }: ManyQuestion<T>): Promise<T[] | undefined> {
    this.seen.push(
      `? ${message}`,
      ...choices.map(({ label }, i) => `${marked.includes(i) ? "[x]" : "[]"} ${label}`),
    );
    const answer = this.#next();
    if (answer === undefined) return undefined;
    const wanted = String(answer).split(",");
    return choices
      .filter(({ label }) => wanted.some((one) => one !== "" && label.startsWith(one)))
      .map(({ value }) => value);
  }

  async confirm({ message }: ConfirmQuestion): Promise<boolean | undefined> {
    this.seen.push(`? ${message}`);
    const answer = this.#next();
    return answer === undefined ? undefined : answer === true;
  }

  async text({ message, check }: TextQuestion): Promise<string | undefined> {
    this.seen.push(`? ${message}`);
    const answer = this.#next();
    if (answer === undefined) return undefined;
    const problem = check?.(String(answer));
    if (problem !== undefined) throw new Error(`refused: ${problem}`);
    return String(answer);
  }

  secret(question: TextQuestion): Promise<string | undefined> {
    return this.text(question);
  }

  say(text: string): void {
    this.seen.push(...text.split("\n"));
  }

  async work<T>({ title, run }: Task<T>): Promise<T | undefined> {
    this.seen.push(`... ${title}`);
    return await run((text) => this.seen.push(`... ${text}`), new AbortController().signal);
  }

  get isDone(): boolean {
    return this.#answers.length === 0;
  }

  #next(): string | boolean | undefined {
    if (this.#answers.length === 0) throw new Error(`asked too much: ${this.seen.at(-1)}`);
    return this.#answers.shift();
  }
}
