import { type Item, type MessageItem, userText } from "../protocol/items.ts";
import type { TaskEnd } from "../tools/shell/task-ends.ts";
import type { HarnessReminder } from "./schema.ts";
import { renderTemplate } from "./template.ts";

/**
 * The reminder that is due at the end of this history: nobody has called one of its tools for so many results and
 * answers, nor was it said in that time. Undefined when none is, and while the last thing said is not a result.
 */
export function reminderFor(
  reminders: readonly HarnessReminder[],
  items: readonly Item[],
): MessageItem | undefined {
  if (items.at(-1)?.type !== "tool_result") return undefined;
  const due = reminders.find((reminder) => stepsSince(reminder, items) >= reminder.after);
  return due && said(due);
}

function stepsSince(reminder: HarnessReminder, items: readonly Item[]): number {
  const text = said(reminder).content;
  let steps = 0;
  for (const item of items.toReversed()) {
    // Its own result has been counted already.
    if (item.type === "tool_call" && reminder.tools.includes(item.name)) return Math.max(0, steps - 1);
    if (item.type === "message" && Bun.deepEquals(item.content, text)) return steps;
    if (item.type === "tool_result" || (item.type === "message" && item.role === "assistant")) steps += 1;
  }
  return reminder.onceUsed ? 0 : steps;
}

function said({ role, text }: HarnessReminder): MessageItem {
  return { ...userText(text.trim()), role };
}

/** What the model is told of a command that has ended; undefined for a harness that says nothing. */
export function endNotice(template: string | undefined, end: TaskEnd): MessageItem | undefined {
  if (template === undefined) return undefined;
  const names: Readonly<Record<string, string | number>> = { ...end };
  return userText(
    renderTemplate(template, (name) => (Object.hasOwn(names, name) ? names[name] : undefined)).trim(),
  );
}
