import type { Item, Part } from "../../protocol/items.ts";
import type { AppError } from "../../util/errors.ts";
import { checkHistory } from "./check-history.ts";

/** Text that stands where a picture was. */
const IMAGE_LEFT_OUT = "[image left out: the model server refused it]";
const ABOUT_IMAGES = /image|picture|vision|multi-?modal|media.?type|base64|photo/i;
const TOO_LARGE = 413;

/**
 * History as it is sent. What would make a server refuse the request is repaired here and not in the record, so that one
 * bad item never ends a session.
 */
export class Outgoing {
  readonly #refused = new WeakSet<Item>();
  readonly #log: (message: string) => void;
  #lastProblems = "";

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  prepare(items: readonly Item[]): readonly Item[] {
    const checked = checkHistory(items);
    const problems = checked.problems.join("; ");
    if (problems !== this.#lastProblems && problems !== "") this.#log(`history was repaired: ${problems}`);
    this.#lastProblems = problems;
    return checked.items.map((item) => (this.#refused.has(item) ? withoutImages(item) : item));
  }

  /** Learns from a refused request which pictures to leave out. False when that can't have been the reason. */
  learn(error: AppError, items: readonly Item[]): boolean {
    const isAboutImages = ABOUT_IMAGES.test(error.message) || error.status === TOO_LARGE;
    if (error.code !== "model.rejected" || !isAboutImages) return false;
    const fresh = items.filter((item) => holdsImage(item) && !this.#refused.has(item));
    for (const item of fresh) this.#refused.add(item);
    return fresh.length > 0;
  }
}

function contentOf(item: Item): readonly Part[] {
  return item.type === "message" || item.type === "tool_result" ? item.content : [];
}

function holdsImage(item: Item): boolean {
  return contentOf(item).some((part) => part.type === "input_image");
}

function withoutImages(item: Item): Item {
  if (item.type !== "message" && item.type !== "tool_result") return item;
  const content = item.content.map((part) =>
    part.type === "input_image" ? ({ type: "input_text", text: IMAGE_LEFT_OUT } as const) : part,
  );
  return { ...item, content };
}
