import type { Asker as QuestionAsker } from "../../../protocol/questions.ts";
import type { Dialogs } from "../dialogs.ts";
import { WaitingQuestions } from "./waiting-questions.ts";

export type InterjectionsOptions = {
  dialogs: Dialogs;
  /** Draws soon: a question is put once the screen can show it. */
  request(): void;
  /** A person is waited for, or not any more. */
  waits(isWaiting: boolean): void;
};

/**
 * Questions that nobody called for, of the model and of MCP servers. One is put when a frame could be drawn: not over a
 * pager, an editor, an approval or a list that the user has opened.
 */
export class Interjections {
  readonly #options: InterjectionsOptions;
  readonly #waiting: WaitingQuestions;
  #isAsking = false;

  constructor(options: InterjectionsOptions) {
    this.#options = options;
    this.#waiting = new WaitingQuestions(() => {
      options.waits(true);
      options.request();
    });
  }

  get asker(): QuestionAsker {
    return this.#waiting;
  }

  /** Puts the next question, if there is one and nothing else is asked. */
  putNext(): void {
    if (this.#isAsking || this.#waiting.isEmpty || this.#options.dialogs.isBusy) return;
    this.#isAsking = true;
    void this.#put().finally(() => {
      this.#isAsking = false;
      this.#options.waits(false);
      this.#options.request();
    });
  }

  async #put(): Promise<void> {
    const { putQuestions } = await import("./put-questions.ts");
    const next = this.#waiting.take();
    if (!next) return;
    try {
      const put = this.#options.dialogs.interject(
        (asker) => putQuestions(asker, next.questions),
        next.signal,
      );
      next.answer(await put);
    } catch {
      next.answer(undefined);
    }
  }
}
