import { type Item, type MessageItem, type Part, textOf } from "../protocol/items.ts";
import type { Around } from "./speech.ts";

/** The same items with the texts around the user's first words; `isOurs`: not the user's. Only what is sent is changed, not the record. */
export function wrapFirstUser(
  items: readonly Item[],
  around: Around,
  isOurs: (item: Item) => boolean,
): Item[] {
  const first = items.find((item) => isUsers(item, around) && !isOurs(item));
  return items.map((item) => (item === first && item.type === "message" ? wrapped(item, around) : item));
}

function isUsers(item: Item, { setup = [] }: Around): boolean {
  return item.type === "message" && item.role === "user" && !setup.includes(textOf(item.content));
}

function wrapped(item: MessageItem, { before, after }: Around): MessageItem {
  const texts = item.content.filter((part) => part.type !== "input_image");
  const pictures = item.content.filter((part) => part.type === "input_image");
  const text = texts.map((part) => part.text).join("\n");
  const whole: Part = { type: "input_text", text: `${before}${text}${after}` };
  return { ...item, content: [whole, ...pictures] };
}
