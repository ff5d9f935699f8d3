/** One event of a stream. `event` is "" when the server did not name it. */
export type SseEvent = { event: string; data: string };

/**
 * Cuts decoded text into server-sent events. The text may arrive in pieces of any size, with LF, CRLF or CR line ends.
 * Comments, `id` and `retry` are dropped, and so are events without data.
 */
export class SseDecoder {
  /** The pieces of a line that is not over; joined once, as one event can be megabytes long. */
  #rest: string[] = [];
  #event = "";
  #data: string | undefined;
  #endedInCr = false;

  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    const lines = this.#unifyLineEnds(text).split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#rest.push(line);
      this.#closeLine(events);
    }
    if (last !== "") this.#rest.push(last);
    return events;
  }

  /** The text ended. An event without its closing blank line still counts: some servers leave it out. */
  end(): SseEvent[] {
    const events: SseEvent[] = [];
    this.#closeLine(events);
    this.#line("", events);
    return events;
  }

  #closeLine(events: SseEvent[]): void {
    const line = this.#rest.length === 1 ? this.#rest[0] : this.#rest.join("");
    this.#rest = [];
    this.#line(line ?? "", events);
  }

  #unifyLineEnds(text: string): string {
    if (text === "") return text;
    const own = this.#endedInCr && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedInCr = text.endsWith("\r");
    return own.includes("\r") ? own.replace(/\r\n?/g, "\n") : own;
  }

  #line(line: string, events: SseEvent[]): void {
    if (line === "") {
      if (this.#data !== undefined && this.#data !== "")
        events.push({ event: this.#event, data: this.#data });
      this.#event = "";
      this.#data = undefined;
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") return;
    const at = colon < 0 ? line.length : colon + (line[colon + 1] === " " ? 2 : 1);
    const value = line.slice(at);
    if (field === "event") this.#event = value;
    else this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }
}
