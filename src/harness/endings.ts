import { type Item, textOf } from "../protocol/items.ts";
import { saidNotTooOften } from "./answers.ts";
import type { Harness } from "./compose.ts";
import type { TextProtocol } from "./written-call.ts";

export type Endings = {
  /** What to say to the answer without calls that the items end with; undefined when it ends the turn. */
  reply(items: readonly Item[]): string | undefined;
  /** Do the items end with a result that ends the turn? */
  isOver(items: readonly Item[]): boolean;
};

/** When a turn of this harness is over. */
export function endings({ tools, withoutCall }: Harness, protocol: TextProtocol | undefined): Endings {
  return {
    reply: (items) => {
      const last = items.at(-1);
      if (last?.type !== "message" || last.role !== "assistant") return undefined;
      const text = protocol ? protocol.reply(items) : withoutCall?.trim();
      return text === undefined ? undefined : saidNotTooOften(text, items);
    },
    isOver: (items) => endsByResult(items, (name) => tools.find((tool) => tool.name === name)?.endsTurn),
  };
}

function endsByResult(items: readonly Item[], formOf: (tool: string) => string | undefined): boolean {
  const last = items.at(-1);
  if (last?.type !== "tool_result" || !last.ok) return false;
  const call = items.findLast((item) => item.type === "tool_call" && item.callId === last.callId);
  const form = call?.type === "tool_call" ? formOf(call.name) : undefined;
  return form !== undefined && new RegExp(form).test(textOf(last.content));
}
