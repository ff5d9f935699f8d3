import type { OpenedSession } from "../../core/runtime.ts";
import { agentLine } from "../../protocol/agent-text.ts";
import type { ThreadItem, TurnEvent } from "../../protocol/events.ts";
import type { Call } from "./call.ts";
import { codexMessages } from "./events.ts";

/** What a call comes to. `text` is the answer, or why there is none. */
export type Outcome = { threadId: string; ok: boolean; text: string };

/** Clients give a call up after a minute of silence, and a local model may read for longer than that. */
const PROGRESS_MS = 10_000;

/** One conversation, with the calls that wait for its running turn. */
export class Thread implements AsyncDisposable {
  readonly #opened: OpenedSession;
  readonly #calls: Calls;
  #isStarted = false;

  constructor(opened: OpenedSession, calls: Calls) {
    this.#opened = opened;
    this.#calls = calls;
  }

  get id(): string {
    return this.#opened.session.id;
  }

  /** Starts a turn, or adds to the one that runs; the outcome is that of the turn. Cancelling the call ends the turn. */
  async say(prompt: string, call: Call): Promise<Outcome> {
    const { session } = this.#opened;
    let problem = "the turn was interrupted";
    using _ = this.#calls.enter(call);
    using __ = session.subscribe((event) => {
      problem = problemOf(event) ?? problem;
      for (const message of codexMessages(event)) call.event(this.id, message);
      call.progress(doing(event));
    });
    this.#start();
    const turn = session.submit([{ type: "input_text", text: prompt }]);
    const interrupt = () => void session.interrupt();
    if (call.signal.aborted) interrupt();
    call.signal.addEventListener("abort", interrupt, { once: true });
    const heart = setInterval(() => call.progress(), PROGRESS_MS);
    try {
      const { status, lastMessage } = await turn;
      await call.flushed();
      const ok = status === "completed";
      return { threadId: this.id, ok, text: ok ? (lastMessage ?? "") : problem };
    } finally {
      clearInterval(heart);
      call.signal.removeEventListener("abort", interrupt);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#opened[Symbol.asyncDispose]());
  }

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#opened.session.start([...this.#opened.warnings, ...this.#opened.notices]);
  }
}

/** The calls that wait for a turn; the newest one is asked. */
export class Calls {
  readonly #waiting: Call[] = [];

  enter(call: Call): Disposable {
    this.#waiting.push(call);
    return { [Symbol.dispose]: () => void this.#waiting.splice(this.#waiting.indexOf(call), 1) };
  }

  newest(): Call | undefined {
    return this.#waiting.at(-1);
  }
}

function problemOf(event: TurnEvent): string | undefined {
  if (event.type === "budget.reached") return event.message;
  if (event.type !== "turn.failed") return undefined;
  const { message, hint } = event.error;
  return hint === undefined ? message : `${message}\n${hint}`;
}

/** What a person may read while they wait. */
function doing(event: TurnEvent): string | undefined {
  if (event.type === "model.loading") return `loading ${event.model}`;
  return event.type === "item.started" ? work(event.item) : undefined;
}

function work(item: ThreadItem): string | undefined {
  switch (item.type) {
    case "command_execution":
      return item.command;
    case "file_change":
      return `changing ${item.changes.map(({ path }) => path).join(", ")}`;
    case "mcp_tool_call":
      return `${item.server}: ${item.tool}`;
    case "web_search":
      return `searching ${item.query}`;
    case "agent_call":
      return agentLine(item);
    case "agent_message":
    case "reasoning":
    case "todo_list":
    case "error":
      return undefined;
  }
}
