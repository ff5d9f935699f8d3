import type { TurnEvent } from "../../protocol/events.ts";
import type { Item } from "../../protocol/items.ts";
import type { AgentOutcome, AgentState } from "../../tools/types.ts";
import type { SharedLock } from "../../util/async.ts";
import { toAppError } from "../../util/errors.ts";
import type { ChildSession } from "./types.ts";

type Status = AgentState["status"];
type Facts = Pick<AgentState, "id" | "name" | "kind" | "description">;

/** One child agent: works on what it is told, one thing after the other, when there is room for it. */
export class Child {
  readonly #facts: Facts;
  readonly #session: ChildSession;
  /** As many children as may be at work at a time. */
  readonly #slots: SharedLock;
  #status: Status = "done";
  #message: string | undefined;
  #work: Promise<AgentOutcome> | undefined;
  #stop = new AbortController();
  /** What it is told before its turn has come. */
  #waiting: string[] = [];
  #turns: ReturnType<ChildSession["submit"]>[] = [];
  #count = { toolCalls: 0, tokens: 0 };
  #problem = "";

  constructor(facts: Facts, session: ChildSession, slots: SharedLock) {
    this.#facts = facts;
    this.#session = session;
    this.#slots = slots;
    session.subscribe((event) => this.#note(event));
  }

  get state(): AgentState {
    const message = this.#message;
    return {
      ...this.#facts,
      sessionId: this.#session.id,
      status: this.#status,
      ...(message === undefined ? {} : { message }),
    };
  }

  get isAtWork(): boolean {
    return this.#work !== undefined;
  }

  get items(): readonly Item[] {
    return this.#session.items;
  }

  /** Resolves when it is no longer at work; at once when it is not. */
  get ended(): Promise<unknown> {
    return this.#work ?? Promise.resolve();
  }

  /** Gives it something to do, or more while it is at work. Resolves with what comes of it; never rejects. */
  tell(message: string): Promise<AgentOutcome> {
    if (this.#work && this.#status === "running") {
      this.#turns.push(this.#session.submit([{ type: "input_text", text: message }]));
      return this.#work;
    }
    this.#waiting.push(message);
    if (this.#work !== undefined) return this.#work;
    this.#stop = new AbortController();
    this.#status = "pending";
    this.#message = undefined;
    this.#count = { toolCalls: 0, tokens: 0 };
    this.#problem = "";
    this.#work = this.#begin(performance.now()).finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  async interrupt(): Promise<void> {
    if (!this.#work) return;
    this.#stop.abort();
    await this.#session.interrupt();
    await this.#work;
  }

  async close(): Promise<void> {
    await this.interrupt();
    this.#status = "closed";
    await this.#session[Symbol.asyncDispose]();
  }

  async #begin(startedAt: number): Promise<AgentOutcome> {
    const stopped = Promise.withResolvers<"interrupted">();
    const onAbort = () => stopped.resolve("interrupted");
    const { signal } = this.#stop;
    signal.addEventListener("abort", onAbort, { once: true });
    const worked = this.#slots.run(false, async () => (signal.aborted ? "interrupted" : this.#run()));
    // One that waits for its turn is stopped at once; one that works ends its turn first.
    const status = await Promise.race([
      worked,
      stopped.promise.then((end) => (this.#status === "pending" ? end : worked)),
    ]);
    this.#status = status;
    this.#waiting = [];
    const text = this.#message ?? (status === "interrupted" ? "it was interrupted" : this.#problem);
    const durationMs = Math.round(performance.now() - startedAt);
    if (status === "done") return { ok: true, text: this.#message ?? NOTHING, ...this.#count, durationMs };
    return { ok: false, text: `the agent failed: ${text}`, ...this.#count, durationMs };
  }

  async #run(): Promise<Status> {
    this.#status = "running";
    const text = this.#waiting.splice(0).join("\n\n");
    this.#turns = [this.#session.submit([{ type: "input_text", text }])];
    let status: Status = "failed";
    // Words that came too late for one turn have begun another.
    for (let turn = this.#turns.shift(); turn; turn = this.#turns.shift()) {
      try {
        const outcome = await turn;
        status = STATUS[outcome.status];
        if (status === "done") this.#message = outcome.lastMessage ?? NOTHING;
        else this.#message = status === "failed" ? this.#problem : undefined;
      } catch (cause) {
        this.#message = toAppError(cause).message;
      }
    }
    return status;
  }

  #note(event: TurnEvent): void {
    if (event.type === "history.appended" && event.item.type === "tool_call") this.#count.toolCalls += 1;
    if (event.type === "usage") this.#count.tokens += event.last.input + event.last.output;
    if (event.type === "turn.failed") this.#problem = event.error.message;
    if (event.type === "budget.reached") this.#problem = event.message;
  }
}

const NOTHING = "(the agent said nothing)";

const STATUS = {
  completed: "done",
  failed: "failed",
  over_budget: "failed",
  aborted: "interrupted",
} as const satisfies Record<string, Status>;
