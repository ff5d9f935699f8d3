import { type Item, type MessageItem, textOf } from "../protocol/items.ts";

/** A model that was told this many times in a row to make a call, and made none, has nothing to do. */
const MOST_IN_A_ROW = 3;

/** `text`, unless the model was told the same (by its first line) too often since its last call. */
export function saidNotTooOften(text: string, items: readonly Item[]): string | undefined {
  const told = sinceLastResult(items).filter(
    (item) => isSaid(item, "user") && firstLine(textOf(item.content)) === firstLine(text),
  );
  return told.length < MOST_IN_A_ROW ? text : undefined;
}

/** The text of the newest message of that role; undefined when there is none. */
export function lastText(items: readonly Item[], role: MessageItem["role"]): string | undefined {
  const last = items.findLast((item) => isSaid(item, role));
  return last === undefined ? undefined : textOf(last.content);
}

function sinceLastResult(items: readonly Item[]): readonly Item[] {
  return items.slice(items.findLastIndex(({ type }) => type === "tool_result") + 1);
}

function isSaid(item: Item, role: MessageItem["role"]): item is MessageItem {
  return item.type === "message" && item.role === role;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
