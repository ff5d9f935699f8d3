import type { ThreadItem, TurnEvent } from "../protocol/events.ts";
import { type Item, type ToolInput, textOf } from "../protocol/items.ts";
import type { Usage } from "../protocol/usage.ts";
import type { Json } from "../util/json.ts";
import { encodeContext } from "./facts-lines.ts";
import { encodeItem } from "./item-lines.ts";
import { withoutUndefined } from "./json.ts";
import type { Entry } from "./record.ts";

/** A command's whole output is in the item that the model read; for people this much of it is kept. Characters. */
const MAX_SHOWN_OUTPUT = 4096;

/** Says which lines a session file gets for an event. What can be rebuilt, or was only for the moment, gets none. */
export class EventLines {
  readonly #inputs = new Map<string, ToolInput["kind"]>();

  /** `history`: the items that are in the file already. */
  constructor(history: readonly Item[]) {
    this.#remember(history);
  }

  of(event: TurnEvent): Entry[] {
    switch (event.type) {
      case "turn.started":
        return turnStart(event);
      case "item.completed":
        return shownItem(event.item).map((entry) => withCall(entry, event.callId));
      case "history.appended":
        this.#remember([event.item]);
        return [{ type: "response_item", ...this.#encode(event.item) }];
      case "compacted":
        this.#remember(event.history);
        return this.#compaction(event);
      case "usage":
        return [tokenCount(event)];
      case "turn.completed":
        return [
          eventMsg("task_complete", {
            turn_id: event.turnId,
            last_agent_message: event.lastMessage ?? null,
            duration_ms: event.durationMs,
          }),
        ];
      case "turn.failed":
        return [
          eventMsg("task_complete", {
            turn_id: event.turnId,
            last_agent_message: null,
            error: { code: event.error.code, message: event.error.message },
          }),
        ];
      case "budget.reached":
        return [
          eventMsg("task_complete", {
            turn_id: event.turnId,
            last_agent_message: null,
            error: { code: "budget", message: event.message },
          }),
        ];
      case "turn.aborted":
        return [eventMsg("turn_aborted", { turn_id: event.turnId, reason: event.reason })];
      case "session.started":
      case "item.started":
      case "item.delta":
      case "item.updated":
      case "approval.requested":
      case "approval.resolved":
      case "retrying":
      case "warning":
      case "model.loading":
        return [];
    }
  }

  #remember(items: readonly Item[]): void {
    for (const item of items) if (item.type === "tool_call") this.#inputs.set(item.callId, item.input.kind);
  }

  #encode(item: Item) {
    return encodeItem(item, (callId) => this.#inputs.get(callId));
  }

  #compaction(event: Extract<TurnEvent, { type: "compacted" }>): Entry[] {
    const lines = event.history.map((item) => this.#encode(item));
    return [
      {
        type: "compacted",
        payload: { message: event.summary, replacement_history: lines.map((line) => line.payload) },
        metadata: { items: lines.map((line) => line.metadata ?? null) },
      },
      eventMsg("context_compacted", { tokens_before: event.before, tokens_after: event.after }),
    ];
  }
}

function eventMsg(type: string, fields: Json): Entry {
  return { type: "event_msg", payload: { type, ...fields } };
}

function turnStart({ context, input }: Extract<TurnEvent, { type: "turn.started" }>): Entry[] {
  const images = input.filter((part) => part.type === "input_image").length;
  return [
    eventMsg("task_started", { turn_id: context.turnId }),
    encodeContext(context),
    // The pictures themselves are in the response_item.
    eventMsg("user_message", { message: textOf(input), ...(images === 0 ? {} : { image_count: images }) }),
  ];
}

function withCall(entry: Entry, callId: string | undefined): Entry {
  return callId === undefined ? entry : { ...entry, metadata: { call_id: callId } };
}

function shownItem(item: ThreadItem): Entry[] {
  switch (item.type) {
    case "agent_message":
      return [eventMsg("agent_message", { id: item.id, message: item.text })];
    case "reasoning":
      return [eventMsg("agent_reasoning", { id: item.id, text: item.text })];
    case "command_execution":
      return [eventMsg("item_completed", { item: { ...item, output: shortened(item.output) } })];
    case "mcp_tool_call":
      return [eventMsg("item_completed", { item: withoutUndefined({ ...item, result: undefined }) })];
    case "file_change":
    case "web_search":
    case "agent_call":
    case "todo_list":
    case "error":
      return [eventMsg("item_completed", { item })];
  }
}

function shortened(output: string): string {
  if (output.length <= MAX_SHOWN_OUTPUT) return output;
  const half = MAX_SHOWN_OUTPUT / 2;
  return `${output.slice(0, half)}\n[…]\n${output.slice(-half)}`;
}

function tokenCount({ total, last, contextWindow }: Extract<TurnEvent, { type: "usage" }>): Entry {
  const info = {
    total_token_usage: encodeUsage(total),
    last_token_usage: encodeUsage(last),
    model_context_window: contextWindow,
  };
  return eventMsg("token_count", { info, rate_limits: null });
}

function encodeUsage(usage: Usage): Json {
  return {
    input_tokens: usage.input,
    cached_input_tokens: usage.cachedInput,
    cache_write_input_tokens: usage.cacheWrite,
    output_tokens: usage.output,
    reasoning_output_tokens: usage.reasoning,
    total_tokens: usage.input + usage.output,
  };
}
