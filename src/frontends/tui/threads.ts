import { Conversation } from "./conversation.ts";
import type { Facts } from "./facts.ts";
import { noProgress, type Progress } from "./progress.ts";
import { type AppState, INITIAL_STATE } from "./state.ts";
import { Transcript } from "./transcript.ts";

/** One conversation as the interface holds it; `T` runs its turns. */
export type Thread<T> = {
  readonly transcript: Transcript;
  readonly conversation: Conversation;
  readonly turns: T;
  readonly facts: Facts;
  progress: Progress;
  /** Its draft, its turn and what waits. */
  state: AppState;
  /** What is to be done about what happened while another one was shown, in order. */
  readonly missed: (() => void)[];
};

export type NewThread<T> = (whenShown: (act: () => void) => void) => { turns: T; facts: Facts };

/**
 * The conversation that is kept, and beside it at most one that is not: a side conversation. One of them is shown; the
 * other goes on, and what it did is made up for when it is shown again.
 */
export class Threads<T> {
  readonly main: Thread<T>;
  readonly #make: NewThread<T>;
  #side: Thread<T> | undefined;
  #shown: Thread<T>;

  constructor(make: NewThread<T>) {
    this.#make = make;
    this.main = this.#new();
    this.#shown = this.main;
  }

  get shown(): Thread<T> {
    return this.#shown;
  }

  get isAside(): boolean {
    return this.#shown === this.#side;
  }

  /** Acts at once when the thread is shown, else when it will be. */
  whenShown(thread: Thread<T>, act: () => void): void {
    if (this.#shown === thread) act();
    else thread.missed.push(act);
  }

  /** Shows a new side conversation, which is to be opened. */
  turnAside(): void {
    this.#side = this.#new();
    this.#show(this.#side, "opening");
  }

  /** Ends the side conversation and shows the other one; `say` comes before what it did meanwhile. */
  async endSide(say: () => void): Promise<void> {
    const side = this.#side;
    this.#show(this.main, "ready");
    say();
    for (const act of this.main.missed.splice(0)) act();
    this.#side = undefined;
    await side?.conversation.close();
  }

  async close(): Promise<void> {
    await this.#side?.conversation.close();
    await this.main.conversation.close();
  }

  #new(): Thread<T> {
    const thread: Thread<T> = {
      ...this.#make((act) => this.whenShown(thread, act)),
      transcript: new Transcript(),
      conversation: new Conversation(),
      progress: noProgress(),
      state: INITIAL_STATE,
      missed: [],
    };
    return thread;
  }

  #show(thread: Thread<T>, phase: AppState["phase"]): void {
    const { approvals, history } = this.#shown.state;
    this.#shown = thread;
    thread.state = { ...thread.state, approvals, history, phase, popup: undefined, hint: undefined };
  }
}
