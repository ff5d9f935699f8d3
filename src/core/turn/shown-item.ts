import type { ToolDetail } from "../../protocol/details.ts";
import type { Emit, ItemId, ItemStatus, ThreadItem } from "../../protocol/events.ts";
import type { ItemHandle } from "../../tools/types.ts";

/** The item that a person sees for one tool call: started once, completed once, silent when there is nothing to show. */
export class ShownItem implements ItemHandle {
  readonly #id: ItemId;
  readonly #callId: string;
  readonly #emit: Emit;
  #isOpen = false;
  #isClosed = false;

  constructor(id: ItemId, callId: string, emit: Emit) {
    this.#id = id;
    this.#callId = callId;
    this.#emit = emit;
  }

  open(detail: ToolDetail): void {
    const item = toThreadItem(this.#id, detail, "in_progress");
    if (!item) return;
    this.#isOpen = true;
    this.#emit({ type: "item.started", item, callId: this.#callId });
  }

  delta(chunk: string): void {
    if (this.#isOpen && !this.#isClosed) {
      this.#emit({ type: "item.delta", id: this.#id, field: "output", delta: chunk });
    }
  }

  close(detail: ToolDetail, status: ItemStatus): void {
    if (!this.#isOpen || this.#isClosed) return;
    const item = toThreadItem(this.#id, detail, status);
    if (!item) return;
    this.#isClosed = true;
    this.#emit({ type: "item.completed", item, callId: this.#callId });
  }
}

function toThreadItem(id: ItemId, detail: ToolDetail, status: ItemStatus): ThreadItem | undefined {
  switch (detail.kind) {
    case "command": {
      const { kind: _, ...command } = detail;
      return { id, type: "command_execution", status, ...command };
    }
    case "files":
      return { id, type: "file_change", changes: detail.changes, status };
    case "mcp": {
      const { kind: _, ...call } = detail;
      return { id, type: "mcp_tool_call", status, ...call };
    }
    case "search":
      return { id, type: "web_search", query: detail.query, action: detail.action };
    case "agent": {
      const { kind: _, ...call } = detail;
      return { id, type: "agent_call", status, ...call };
    }
    case "report":
      return { id, type: "agent_message", text: detail.text };
    case "plan":
    case "none":
      return undefined;
  }
}
