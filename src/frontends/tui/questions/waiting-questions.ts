import type { Asker, QuestionAnswer, UserQuestion } from "../../../protocol/questions.ts";

type Answers = readonly QuestionAnswer[] | undefined;
export type WaitingQuestion = {
  questions: readonly UserQuestion[];
  /** Aborted when nobody wants the answer any more. */
  signal: AbortSignal;
  answer(answers: Answers): void;
};

/** Questions of the model and of MCP servers, in the order in which they came. `onAsked`: another one waits. */
export class WaitingQuestions implements Asker {
  readonly #waiting: WaitingQuestion[] = [];
  readonly #onAsked: () => void;

  constructor(onAsked: () => void) {
    this.#onAsked = onAsked;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  ask(questions: readonly UserQuestion[], signal: AbortSignal): Promise<Answers> {
    if (signal.aborted) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Answers>();
    const one: WaitingQuestion = {
      questions,
      signal,
      answer: (answers) => {
        signal.removeEventListener("abort", drop);
        resolve(answers);
      },
    };
    const drop = () => {
      const at = this.#waiting.indexOf(one);
      if (at >= 0) this.#waiting.splice(at, 1);
      resolve(undefined);
    };
    signal.addEventListener("abort", drop, { once: true });
    this.#waiting.push(one);
    this.#onAsked();
    return promise;
  }

  /** Takes the first one out of the line; whoever takes it answers it. */
  take(): WaitingQuestion | undefined {
    return this.#waiting.shift();
  }
}
