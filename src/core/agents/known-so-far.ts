import type { Item } from "../../protocol/items.ts";

/** A history for somebody else: without calls that have no result yet, and without the thoughts that led to them. */
export function knownSoFar(items: readonly Item[]): Item[] {
  const answered = new Set(items.flatMap((item) => (item.type === "tool_result" ? item.callId : [])));
  const known = items.filter((item) => item.type !== "tool_call" || answered.has(item.callId));
  while (known.at(-1)?.type === "reasoning") known.pop();
  return known;
}
