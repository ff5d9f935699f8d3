import type { Asker as QuestionAsker } from "../../../protocol/questions.ts";
import { WaitingQuestions } from "../questions/waiting-questions.ts";
import type { ConsentsOptions } from "./consents.ts";

/** The questions of the model and of MCP servers, one at a time. */
export class PlainQuestions {
  readonly #options: ConsentsOptions;
  readonly #waiting = new WaitingQuestions(() => this.next());
  #isAsking = false;

  constructor(options: ConsentsOptions) {
    this.#options = options;
  }

  get asker(): QuestionAsker {
    return this.#waiting;
  }

  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Puts the next one, if there is one and nothing else is asked. */
  next(): void {
    if (this.#isAsking || this.#waiting.isEmpty || !this.#options.isFree()) return;
    this.#isAsking = true;
    void this.#put().finally(() => {
      this.#isAsking = false;
      this.#options.onAnswered();
    });
  }

  async #put(): Promise<void> {
    const { asker } = this.#options;
    const { putQuestions } = await import("../questions/put-questions.ts");
    const next = this.#waiting.take();
    if (!next) return;
    const close = () => asker.cancel();
    next.signal.addEventListener("abort", close, { once: true });
    try {
      next.answer(await putQuestions(asker, next.questions));
    } catch {
      next.answer(undefined);
    } finally {
      next.signal.removeEventListener("abort", close);
    }
  }
}
