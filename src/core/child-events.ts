import type { Emit, TurnEvent } from "../protocol/events.ts";

/** Lets through what a person must see of a child: commands, changes, calls of servers, questions, trouble. */
export function onlyDeeds(emit: Emit): Emit {
  const open = new Set<string>();
  return (event) => {
    if (isDeed(event)) open.add(event.item.id);
    const isPart = event.type === "item.delta" && open.has(event.id);
    const isOther = /^(?:approval\.|retrying$|warning$)/.test(event.type);
    if (isDeed(event) || isPart || isOther) emit(event);
  };
}

const DEEDS: ReadonlySet<string> = new Set([
  "command_execution",
  "file_change",
  "mcp_tool_call",
  "web_search",
]);

function isDeed(
  event: TurnEvent,
): event is Extract<TurnEvent, { type: `item.${"started" | "updated" | "completed"}` }> {
  return (
    (event.type === "item.started" || event.type === "item.updated" || event.type === "item.completed") &&
    DEEDS.has(event.item.type)
  );
}
