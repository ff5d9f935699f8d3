import type { Emit } from "../../protocol/events.ts";
import type { Item, ToolCall, ToolResultItem } from "../../protocol/items.ts";

/**
 * The conversation of one session. Append-only but for `replace` (compaction). Calls that have no result yet are known,
 * so that whoever stops a turn can answer them: a model server refuses a history with an unanswered call.
 */
export class History {
  #items: Item[];
  readonly #emit: Emit;

  constructor(items: readonly Item[], emit: Emit) {
    this.#items = [...items];
    this.#emit = emit;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  append(item: Item): void {
    this.#items.push(item);
    this.#emit({ type: "history.appended", item });
  }

  /** Calls that wait for their result, in the model's order. */
  openCalls(): ToolCall[] {
    const open: ToolCall[] = [];
    for (const item of this.#items) {
      if (item.type === "tool_call") open.push(item);
      if (item.type !== "tool_result") continue;
      // Some servers use the same ids in every answer, so a result belongs to the oldest call that waits.
      const at = open.findIndex(({ callId }) => callId === item.callId);
      if (at >= 0) open.splice(at, 1);
    }
    return open;
  }

  /** Answers every open call with `text`. */
  answerOpenCalls(text: string): void {
    for (const call of this.openCalls()) this.append(failedResult(call.callId, text));
  }

  /** The caller announces the replacement with a `compacted` event, which holds the new items. */
  replace(items: readonly Item[]): void {
    this.#items = [...items];
  }
}

export function failedResult(callId: string, text: string): ToolResultItem {
  return { type: "tool_result", callId, ok: false, content: [{ type: "input_text", text }] };
}
