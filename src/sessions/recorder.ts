import type { SessionFacts, TurnEvent } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import { EventLines } from "./event-lines.ts";
import { encodeFacts } from "./facts-lines.ts";
import { type Entry, type RolloutRecord, recordLine } from "./record.ts";

export type RecorderStart = {
  now: () => Date;
  /** Written as the first line; undefined when the file has its facts. */
  facts?: SessionFacts;
  /** Lines of another session that this one begins with; what they say about that session is left out. */
  copied?: readonly RolloutRecord[];
  /** The items that are in the file, or in what was copied. */
  history?: readonly Item[];
  nextOrdinal?: number;
};

/** Turns events into lines. Holds everything back until the first turn, so that a session nobody used leaves nothing. */
export class Recorder {
  readonly #now: () => Date;
  readonly #events: EventLines;
  #facts: SessionFacts | undefined;
  #ordinal: number;
  #begun = false;
  /** Lines of before the first turn, without numbers. */
  #early: { entry: Entry; timestamp: string }[];

  constructor(start: RecorderStart) {
    this.#now = start.now;
    this.#events = new EventLines(start.history ?? []);
    this.#facts = start.facts;
    this.#ordinal = start.nextOrdinal ?? 0;
    const copied = (start.copied ?? []).filter((record) => record.type !== "session_meta");
    this.#early = copied.map((record) => ({ entry: record, timestamp: record.timestamp }));
  }

  /** The lines to write for this event, each with its line end. */
  linesFor(event: TurnEvent): string[] {
    const entries = this.#events.of(event);
    // Most events are pieces of a streaming answer, which leave no line.
    if (this.#begun && entries.length === 0) return [];
    const timestamp = this.#now().toISOString();
    if (this.#begun) return entries.map((entry) => this.#line(entry, timestamp));
    // The session may know more about itself when it starts than when its writer was made.
    if (event.type === "session.started" && event.session.id === this.#facts?.id) this.#facts = event.session;
    this.#early.push(...entries.map((entry) => ({ entry, timestamp })));
    if (event.type !== "turn.started" && event.type !== "compacted") return [];
    return this.#begin(timestamp);
  }

  /** A line that says that `count` lines could not be kept. */
  gap(count: number): string {
    return this.#line(
      { type: "event_msg", payload: { type: "lines_lost", count } },
      this.#now().toISOString(),
    );
  }

  #begin(timestamp: string): string[] {
    this.#begun = true;
    const first = this.#facts === undefined ? [] : [{ entry: encodeFacts(this.#facts), timestamp }];
    const lines = [...first, ...this.#early].map((early) => this.#line(early.entry, early.timestamp));
    this.#early = [];
    return lines;
  }

  #line(entry: Entry, timestamp: string): string {
    return recordLine(entry, timestamp, this.#ordinal++);
  }
}
