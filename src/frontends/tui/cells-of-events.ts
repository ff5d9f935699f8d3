import type { TurnEvent } from "../../protocol/events.ts";
import type { Cell } from "./transcript-entry.ts";
import { countText } from "./view/duration.ts";
import { failureNotice, INTERRUPTED } from "./view/notices.ts";

/** Cells for what happened beside the items: warnings, failures, the end of a turn. */
export function cellsOfEvent(event: TurnEvent): Cell[] {
  switch (event.type) {
    case "warning":
      return [{ kind: "notice", notice: { level: "warning", text: event.message } }];
    case "budget.reached":
      return [{ kind: "notice", notice: { level: "warning", text: event.message } }];
    case "turn.failed": {
      const { code } = event.error;
      // The answer to a question stopped it, as Esc does.
      if (code === "approval.denied") return [{ kind: "notice", notice: INTERRUPTED }];
      return [{ kind: "notice", notice: failureNotice(event.error) }];
    }
    case "turn.completed":
      return [{ kind: "turn_end", durationMs: event.durationMs, outputTokens: event.usage.output }];
    case "compacted": {
      const text = `The conversation was replaced by a summary: ${countText(event.before)} to ${countText(event.after)} tokens.`;
      return [{ kind: "notice", notice: { level: "info", text } }];
    }
    default: // items and numbers
      return [];
  }
}
