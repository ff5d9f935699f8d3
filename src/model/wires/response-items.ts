import { isRecord, type Json, textIn } from "../../util/json.ts";

type Opened = { raw: Json; written: string };

/** The items of one Responses answer as its events tell of them: which were told of before, and what was written so far. */
export class ResponseItems {
  readonly #seen = new Set<string>();
  /** The items that are being written, by their place in the output. */
  readonly #opened = new Map<unknown, Opened>();

  open(event: Json): void {
    if (isRecord(event["item"])) this.#opened.set(placeOf(event), { raw: event["item"], written: "" });
  }

  /** The item at the event's place, which grows by `delta`; undefined when none was opened there. */
  grow(event: Json, delta: string): Json | undefined {
    const opened = this.#opened.get(placeOf(event));
    if (opened) opened.written += delta;
    return opened?.raw;
  }

  /** The whole text of what was written piece by piece. */
  settle(event: Json, text: string | undefined): void {
    const opened = this.#opened.get(placeOf(event));
    if (opened && text !== undefined) opened.written = text;
  }

  /** The item as it is told at its end. Some servers leave out there what they have sent in pieces. */
  close(event: Json, raw: Json): Json {
    const opened = this.#opened.get(placeOf(event));
    if (!opened || opened.raw["call_id"] !== raw["call_id"]) return raw;
    this.#opened.delete(placeOf(event));
    return withWritten(raw, opened.written);
  }

  /** Items of which only the pieces came, never the end. */
  unclosed(): Json[] {
    return [...this.#opened.values()]
      .filter(({ written }) => written !== "")
      .map(({ raw, written }) => withWritten(raw, written));
  }

  /** False the second time. Servers that make up ids may make up others for the list at the end: there, content counts, too. */
  isNew(raw: Json, isListed: boolean): boolean {
    const { id, status, ...content } = raw;
    const keys = [textIn(raw["call_id"]) ?? textIn(id), isListed ? JSON.stringify(content) : undefined];
    const isKnown = keys.some((key) => key !== undefined && this.#seen.has(key));
    for (const key of [keys[0], JSON.stringify(content)]) if (key !== undefined) this.#seen.add(key);
    return !isKnown;
  }
}

function placeOf(event: Json): unknown {
  return event["output_index"] ?? event["item_id"];
}

/** Only what makes a call: text of a message is kept with the stream of it. */
function withWritten(raw: Json, written: string): Json {
  const field =
    raw["type"] === "function_call" ? "arguments" : raw["type"] === "custom_tool_call" ? "input" : undefined;
  const isThere = field === undefined || (raw[field] !== "" && raw[field] !== undefined);
  return isThere || written === "" ? raw : { ...raw, [field]: written };
}
