import { type Item, textOf } from "../../protocol/items.ts";

/**
 * What we tell the model about its surroundings goes into history as messages that begin with one of these markers.
 * Views hide them, compaction drops and re-makes them.
 */
const MARKERS = [
  "<environment_context>",
  "# AGENTS.md instructions for ",
  "<permissions instructions>",
  "<skills>",
  "<time_left>",
  "<budget_left>",
  "<turn_aborted>",
  "<plan_mode>",
  "<system-reminder>",
];

export function isContextFragment(item: Item): boolean {
  if (item.type !== "message" || item.role === "assistant") return false;
  const text = textOf(item.content).trimStart();
  return MARKERS.some((marker) => text.startsWith(marker));
}
