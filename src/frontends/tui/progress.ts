import { costOf, type Price } from "../../core/turn/budget.ts";
import type { ItemId, ThreadItem, TurnEvent } from "../../protocol/events.ts";
import { NO_USAGE, type Speed, subtractUsage, type Usage } from "../../protocol/usage.ts";
import { shownCommand } from "../../util/shown-command.ts";
import { countText, secondsText } from "./view/duration.ts";

/** Roughly, for what the server has not counted yet. */
const CHARACTERS_PER_TOKEN = 4;
/** Tokens that take a model on a usual machine some seconds to read. */
const LONG_PROMPT = 4000;

/** What the numbers and words around the composer are made of. Times in ms since the epoch. */
export class Progress {
  /** Of the session, with earlier runs of it. */
  total: Usage;
  turnCount = 0;
  /** Percent of the context window. */
  contextLeft: number | undefined;
  tokensPerSecond: number | undefined;
  /** Of the newest request that was counted: what its server measured, kept when the turn is over. */
  lastSpeed: Speed = {};
  /** In the money of the prices; undefined when the model's price is not known. */
  cost: number | undefined;
  readonly changedFiles = new Set<string>();
  readonly #price: Price | undefined;
  readonly #now: () => number;
  #turnOutput = 0;
  #streamed = 0;
  #streamedSince: number | undefined;
  #note: string | undefined;
  readonly #running = new Map<ItemId, string>();
  /** Tokens of the last request and its answer, and what has come since. */
  #isInTurn = false;
  #context = 0;
  #unread = 0;

  constructor(usageBefore: Usage, now: () => number, price?: Price) {
    this.total = usageBefore;
    this.#now = now;
    this.#price = price;
    this.cost = price && costOf(usageBefore, price);
  }

  /** Tokens that the model wrote in this turn, counted or estimated. */
  get outputTokens(): number {
    return this.#turnOutput + Math.ceil(this.#streamed / CHARACTERS_PER_TOKEN);
  }

  get activity(): string {
    const running = [...this.#running.values()].at(-1);
    return running ?? this.#note ?? this.#reading() ?? "Working";
  }

  /** The same conversation, in another session of it. */
  goOnFrom({ turnCount, contextLeft, changedFiles, cost }: Progress): void {
    this.turnCount = turnCount;
    // What another model has cost stays what it was.
    if (this.cost !== undefined && cost !== undefined) this.cost = cost;
    this.contextLeft = contextLeft;
    for (const file of changedFiles) this.changedFiles.add(file);
  }

  take(event: TurnEvent): void {
    switch (event.type) {
      case "turn.started":
        this.turnCount += 1;
        this.#isInTurn = true;
        this.#turnOutput = 0;
        this.#reset();
        return;
      case "history.appended":
        this.#unread += JSON.stringify(event.item).length / CHARACTERS_PER_TOKEN;
        return;
      case "compacted":
        this.#context = event.after;
        this.#unread = 0;
        return;
      case "item.started":
        this.#running.set(event.item.id, activityOf(event.item));
        this.#note = undefined;
        return;
      case "item.delta":
        this.#delta(event.field, event.delta);
        return;
      case "item.completed":
        this.#completed(event.item);
        return;
      case "usage":
        this.#usage(event);
        return;
      case "model.loading":
        this.#note = `loading ${event.model}`;
        return;
      case "retrying": {
        const { attempt, of, delayMs, error } = event;
        // A long message is cut at its end.
        this.#note = `retry ${attempt}/${of} in ${secondsText(Math.ceil(delayMs / 1000))} · ${error.message}`;
        return;
      }
      case "turn.completed":
      case "turn.failed":
      case "turn.aborted":
        this.#isInTurn = false;
        this.#reset();
        return;
      default: // nothing to count
    }
  }

  /** A long prompt takes a local model a while, in which it says nothing. */
  #reading(): string | undefined {
    const tokens = this.#context + this.#unread;
    return this.#isInTurn && tokens >= LONG_PROMPT ? `Reading ${countText(tokens)} tokens` : undefined;
  }

  #reset(): void {
    this.#running.clear();
    this.#note = undefined;
    this.#streamed = 0;
    this.#streamedSince = undefined;
    this.tokensPerSecond = undefined;
  }

  #delta(field: "text" | "reasoning" | "output", delta: string): void {
    if (field === "output") return;
    const now = this.#now();
    this.#streamedSince ??= now;
    this.#streamed += delta.length;
    const seconds = (now - this.#streamedSince) / 1000;
    // The first moments say nothing about the speed.
    if (seconds > 1) this.tokensPerSecond = this.#streamed / CHARACTERS_PER_TOKEN / seconds;
  }

  #completed(item: ThreadItem): void {
    this.#running.delete(item.id);
    if (item.type === "file_change" && item.status === "completed")
      for (const { path } of item.changes) this.changedFiles.add(path);
  }

  #usage({ total, last, contextWindow, speed }: Extract<TurnEvent, { type: "usage" }>): void {
    if (this.#price && this.cost !== undefined)
      this.cost += costOf(subtractUsage(total, this.total), this.#price);
    this.total = total;
    this.#turnOutput += last.output;
    this.#streamed = 0;
    this.#streamedSince = undefined;
    if (speed) this.lastSpeed = speed;
    if (speed?.tokensPerSecond !== undefined) this.tokensPerSecond = speed.tokensPerSecond;
    const used = last.input + last.output;
    this.#context = used;
    this.#unread = 0;
    if (contextWindow > 0 && used > 0)
      this.contextLeft = Math.max(0, Math.round(100 - (100 * used) / contextWindow));
  }
}

export function noProgress(): Progress {
  return new Progress(NO_USAGE, Date.now);
}

function activityOf(item: ThreadItem): string {
  switch (item.type) {
    case "agent_message":
      return "Writing";
    case "reasoning":
      return "Thinking";
    case "command_execution":
      return `Running ${shownCommand(item.command).split("\n")[0]?.slice(0, 60) ?? ""}`;
    case "file_change":
      return "Editing files";
    case "mcp_tool_call":
      return `Calling ${item.server}.${item.tool}`;
    case "web_search":
      return "Searching the web";
    case "agent_call":
      return item.action === "wait" ? "Waiting for agents" : "Working with agents";
    case "todo_list":
    case "error":
      return "Working";
  }
}
