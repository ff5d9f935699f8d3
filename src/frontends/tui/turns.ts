import type { TurnOutcome } from "../../core/session/session.ts";
import type { TurnEvent } from "../../protocol/events.ts";
import { textOf } from "../../protocol/items.ts";
import { type AppError, toAppError } from "../../util/errors.ts";
import { joined, type Message } from "./input/composer.ts";
import type { Port, TurnRunner } from "./port.ts";
import { submitQueued } from "./submit.ts";
import { errorNotice, INTERRUPTED } from "./view/notices.ts";

/** Runs one turn after the other: what is said while one runs is read by it, or waits for its end. */
export class Turns implements TurnRunner {
  readonly #port: Port;
  readonly #whenShown: (act: () => void) => void;
  #wasInterrupted = false;
  #stopHeld: (() => void) | undefined;

  /** `whenShown` does what concerns the screen when its conversation is the one that is shown. */
  constructor(port: Port, whenShown: (act: () => void) => void) {
    this.#port = port;
    this.#whenShown = whenShown;
  }

  /** Starts a turn; it runs on its own. */
  start(message: Message): void {
    const { transcript } = this.#port;
    transcript.add({ kind: "user", text: shownText(message) });
    void this.#run(() => this.#port.conversation.say(message, this.#port.cwd));
  }

  steer(message: Message): void {
    // The turn's own promise reports how it ended.
    void this.#port.conversation.say(message, this.#port.cwd).catch(() => {});
  }

  interrupt(): void {
    this.#wasInterrupted = true;
    this.#stopHeld?.();
    void this.#port.conversation.opened?.session.interrupt("interrupted");
  }

  /** Runs work that holds the conversation, such as a compaction, as if it were a turn. */
  async hold(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const control = new AbortController();
    this.#stopHeld = () => control.abort("interrupted");
    await this.#run(async () => {
      await work(control.signal);
      return { status: "completed" };
    });
    this.#stopHeld = undefined;
  }

  /** A message of history: the first steer that it equals has been read. */
  take(event: TurnEvent): void {
    if (event.type !== "history.appended" || event.item.type !== "message" || event.item.role !== "user")
      return;
    const text = textOf(event.item.content);
    const { state } = this.#port;
    const at = state.steers.findIndex((steer) => !steer.isRead && text.endsWith(steer.message.text));
    const read = state.steers[at];
    if (!read) return;
    this.#port.transcript.add({ kind: "user", text: shownText(read.message) });
    this.#port.change({
      steers: state.steers.map((steer, i) => (i === at ? { ...steer, isRead: true } : steer)),
    });
  }

  /** Sends what waits, one at a time. */
  drain(): void {
    const port = this.#port;
    while (port.state.queue.length > 0 && !port.state.turn && port.state.phase === "ready")
      port.apply(submitQueued(port.state, port.surroundings));
  }

  async #run(work: () => Promise<TurnOutcome>): Promise<void> {
    const port = this.#port;
    this.#wasInterrupted = false;
    port.change({ turn: { startedAt: Date.now(), isStopping: false }, steers: [] });
    let outcome: TurnOutcome = { status: "failed" };
    let failure: AppError | undefined;
    try {
      outcome = await work();
    } catch (cause) {
      failure = toAppError(cause);
      if (failure.code === "aborted") outcome = { status: "aborted" };
    }
    this.#whenShown(() => {
      if (failure && failure.code !== "aborted") port.notice(errorNotice(failure));
      this.#over(outcome);
    });
  }

  #over(outcome: TurnOutcome): void {
    const { status } = outcome;
    const port = this.#port;
    port.transcript.endTurn();
    const unread = port.state.steers.filter(({ isRead }) => !isRead).map(({ composer }) => composer);
    if (status === "completed" && !this.#wasInterrupted) {
      // A steer that came in the very last moment is the next message.
      port.change({ turn: undefined, steers: [], queue: [...unread, ...port.state.queue] });
      this.drain();
      if (!port.state.turn) this.#settlePlan(outcome);
      return;
    }
    if (status === "aborted") port.notice(INTERRUPTED);
    // Nothing is sent by itself after an interruption or a failure: it goes back to where it can be changed.
    const { composer, queue } = port.state;
    const back = [...unread, ...queue];
    port.change({
      turn: undefined,
      steers: [],
      queue: [],
      ...(back.length > 0 ? { composer: joined([...back, composer]) } : {}),
    });
  }

  #settlePlan(outcome: TurnOutcome): void {
    if (!this.#port.conversation.opened?.user.isPlanning) return;
    void import("./commands/planning.ts").then(({ settlePlan }) => settlePlan(this.#port, outcome));
  }
}

/** What was said, with a mark for each picture that the text does not name. */
function shownText({ text, images }: Message): string {
  return text === "" ? images.map((_, i) => `[Image #${i + 1}]`).join(" ") : text;
}
