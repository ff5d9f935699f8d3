import type { Item, ToolCall } from "../../protocol/items.ts";
import { repairHistory } from "../../sessions/repair.ts";

export type CheckedHistory = {
  /** The same list when nothing was wrong with it. */
  items: readonly Item[];
  /** What was wrong, each as a sentence for the log. */
  problems: string[];
};

/**
 * Servers refuse a request in which a call has no result, or in which its result stands somewhere else than directly after
 * the answer that made the call. One such place would end the session for good, so it is made good in what is sent.
 */
export function checkHistory(items: readonly Item[]): CheckedHistory {
  const problems = findProblems(items);
  return problems.length === 0 ? { items, problems } : { items: repairHistory(items).history, problems };
}

function findProblems(items: readonly Item[]): string[] {
  const problems: string[] = [];
  let open: ToolCall[] = [];
  let isAnswering = false;
  const leave = () => {
    for (const call of open) problems.push(`the call ${call.callId} of ${call.name} has no result after it`);
    open = [];
    isAnswering = false;
  };
  for (const item of items) {
    if (item.type === "tool_result") {
      const at = open.findIndex(({ callId }) => callId === item.callId);
      if (at < 0) problems.push(`the result of ${item.callId} answers no call before it`);
      else open.splice(at, 1);
      isAnswering = true;
      continue;
    }
    if (isAnswering || !isOfAnswer(item)) leave();
    if (item.type === "tool_call") open.push(item);
  }
  leave();
  return problems;
}

function isOfAnswer(item: Item): boolean {
  if (item.type === "message") return item.role === "assistant";
  return item.type !== "compaction" && item.type !== "tool_result";
}
