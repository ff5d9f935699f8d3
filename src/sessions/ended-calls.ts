import type { Item, ToolResultItem } from "../protocol/items.ts";
import { isRecord, type Json } from "../util/json.ts";
import { listAt, numberAt, textAt } from "./json.ts";

/**
 * Calls that had ended, and were shown as ended, when their result was not yet recorded: results are recorded in the
 * model's order, so that of a fast call waits for the slower ones before it. After a kill the shown item tells what is
 * known.
 */
export class EndedCalls {
  readonly #results = new Map<string, ToolResultItem>();

  /** An item of the conversation, in the order of the file. */
  see(item: Item): void {
    if (item.type === "tool_call" || item.type === "tool_result") this.#results.delete(item.callId);
  }

  /** What people were shown when the call ended. */
  note(callId: string, shown: Json): void {
    const text = describe(shown);
    if (text === undefined) return;
    const ok = textAt(shown, "status") === "completed";
    this.#results.set(callId, { type: "tool_result", callId, content: [{ type: "input_text", text }], ok });
  }

  /** By call id. */
  get results(): ReadonlyMap<string, ToolResultItem> {
    return this.#results;
  }
}

function describe(shown: Json): string | undefined {
  switch (textAt(shown, "type")) {
    case "command_execution":
      return `Process exited with code ${numberAt(shown, "exitCode") ?? "unknown"}\nOutput:\n${textAt(shown, "output") ?? ""}`;
    case "file_change": {
      const changes = (listAt(shown, "changes") ?? []).filter(isRecord);
      const lines = changes.map((change) => `${textAt(change, "kind")} ${textAt(change, "path")}`);
      return [`The patch ended with the status ${textAt(shown, "status")}:`, ...lines].join("\n");
    }
    case "mcp_tool_call":
      return `The call ended with the status ${textAt(shown, "status")}; what it returned was lost.`;
    default:
      return undefined;
  }
}
