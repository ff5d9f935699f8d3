import type { ModelEvent, StopReason } from "../../model/types.ts";
import type { Emit, ItemId } from "../../protocol/events.ts";
import {
  type Item,
  type MessageItem,
  type OpaqueItem,
  type ReasoningItem,
  textOf,
} from "../../protocol/items.ts";
import type { Speed, Usage } from "../../protocol/usage.ts";

export type Ending = { stop: StopReason; usage?: Usage; detail?: string; speed?: Speed };

/**
 * Folds the events of one answer: deltas become item.started and item.delta, whole items become what a person sees.
 * Lives through the retries of one request: a torn answer's open item is started anew instead of appearing twice.
 */
export class Reply {
  lastMessage: string | undefined;
  ending: Ending | undefined;
  readonly #emit: Emit;
  readonly #newId: () => ItemId;
  readonly #hideReasoning: boolean;
  #message: Open | undefined;
  #reasoning: Open | undefined;

  constructor(emit: Emit, newId: () => ItemId, hideReasoning: boolean) {
    this.#emit = emit;
    this.#newId = newId;
    this.#hideReasoning = hideReasoning;
  }

  /** Takes everything but whole items, which come through `show` once history holds them. */
  take(event: Exclude<ModelEvent, { type: "item" }>): void {
    switch (event.type) {
      case "started":
      case "tool_input":
        return;
      case "loading":
        this.#emit({ type: "model.loading", model: event.model });
        return;
      case "notice":
        this.#emit({ type: "warning", message: event.message });
        return;
      case "text":
        this.#text(event.delta);
        return;
      case "thinking":
        this.#thinking(event.delta);
        return;
      case "finished":
        this.ending = { stop: event.stop, usage: event.usage, detail: event.detail, speed: event.speed };
        this.#takeBack();
    }
  }

  show(item: Item): void {
    if (item.type === "message" && item.role === "assistant") this.#showMessage(item);
    else if (item.type === "reasoning") this.#showReasoning(item);
    else if (item.type === "opaque") this.#showHosted(item);
  }

  /** The stream broke: what was shown of the open item is taken back, its id is kept for the next attempt. */
  tear(): void {
    this.ending = undefined;
    this.#takeBack();
  }

  /** Shown text that became no item: it turned out to be a thought, or a call that the model had printed. */
  #takeBack(): void {
    if (this.#message) {
      this.#emit({ type: "item.updated", item: { id: this.#message.id, type: "agent_message", text: "" } });
    }
    if (this.#reasoning) {
      this.#emit({ type: "item.updated", item: { id: this.#reasoning.id, type: "reasoning", text: "" } });
    }
  }

  #text(delta: string): void {
    if (!this.#message) {
      this.#message = { id: this.#newId() };
      this.#emit({ type: "item.started", item: { id: this.#message.id, type: "agent_message", text: "" } });
    }
    this.#emit({ type: "item.delta", id: this.#message.id, field: "text", delta });
  }

  #thinking(delta: string): void {
    if (this.#hideReasoning) return;
    if (!this.#reasoning) {
      this.#reasoning = { id: this.#newId() };
      this.#emit({ type: "item.started", item: { id: this.#reasoning.id, type: "reasoning", text: "" } });
    }
    this.#emit({ type: "item.delta", id: this.#reasoning.id, field: "reasoning", delta });
  }

  #showMessage(item: MessageItem): void {
    const text = textOf(item.content);
    const id = this.#message?.id ?? this.#newId();
    this.#message = undefined;
    if (text === "") return;
    this.lastMessage = text;
    this.#emit({ type: "item.completed", item: { id, type: "agent_message", text } });
  }

  #showReasoning(item: ReasoningItem): void {
    const text = item.summary.length > 0 ? item.summary.join("\n\n") : (item.text ?? "");
    const id = this.#reasoning?.id ?? this.#newId();
    this.#reasoning = undefined;
    if (text === "" || this.#hideReasoning) return;
    this.#emit({ type: "item.completed", item: { id, type: "reasoning", text } });
  }

  #showHosted(item: OpaqueItem): void {
    const search = readSearch(item.raw);
    if (!search) return;
    const shown = { id: this.#newId(), type: "web_search" as const, ...search };
    this.#emit({ type: "item.started", item: shown });
    this.#emit({ type: "item.completed", item: shown });
  }
}

type Open = { id: ItemId };

function readSearch(raw: unknown): { query: string; action: unknown } | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  if (!("type" in raw) || raw.type !== "web_search_call") return undefined;
  const action = "action" in raw ? raw.action : undefined;
  const query = typeof action === "object" && action !== null && "query" in action ? action.query : undefined;
  return { query: typeof query === "string" ? query : "", action };
}
