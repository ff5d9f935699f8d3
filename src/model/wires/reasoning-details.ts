import { isRecord, type Json, listOf, textIn } from "../../util/json.ts";

/** The fields of a detail that come in pieces. */
const GROWING = ["text", "summary", "data"] as const;

/**
 * The `reasoning_details` of a chat answer, put together from its deltas. OpenRouter and others send thoughts and their
 * signatures in this list, and want it back unchanged with the calls it led to.
 */
export class ReasoningDetails {
  readonly #details: Json[] = [];

  take(value: unknown): void {
    for (const piece of listOf(value)) {
      if (isRecord(piece)) this.#add(piece);
    }
  }

  /** The list as JSON; undefined when there was none. */
  get data(): string | undefined {
    return this.#details.length === 0 ? undefined : JSON.stringify(this.#details);
  }

  /** All text of the thoughts. */
  get text(): string {
    return this.#details.map(({ text, summary }) => textIn(text) ?? textIn(summary) ?? "").join("");
  }

  #add(piece: Json): void {
    const last = this.#details.at(-1);
    const isMore =
      last !== undefined &&
      last["type"] === piece["type"] &&
      last["index"] === piece["index"] &&
      (piece["id"] ?? last["id"]) === last["id"];
    if (isMore) this.#details[this.#details.length - 1] = joined(last, piece);
    else this.#details.push(piece);
  }
}

function joined(last: Json, piece: Json): Json {
  const grown = GROWING.flatMap((key): [string, string][] => {
    const before = last[key];
    const more = piece[key];
    return typeof before === "string" && typeof more === "string" ? [[key, before + more]] : [];
  });
  const news = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined);
  return { ...last, ...Object.fromEntries(news), ...Object.fromEntries(grown) };
}
