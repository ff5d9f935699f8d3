import { type InputEvent, type KeyEvent, key } from "./keys.ts";

/** What comes with less than this between its reads belongs together. */
export const BURST_MS = 8;
/** Nobody types this many characters between two reads. */
const LEAST_CHARACTERS = 3;
/** For this long after a paste, Enter is still a part of it. */
const ENTER_MS = 120;

/**
 * Recognises a paste in a terminal that does not bracket pastes: several lines that come at once. Enter after a single
 * line sends it, as programs that type for a person do, unless more follows. The owner calls `flush` after `BURST_MS`
 * without input.
 */
export class PasteBurst {
  #isOn = true;
  #held: KeyEvent[] = [];
  #pastedAt = Number.NEGATIVE_INFINITY;

  /** Is something held back that only time can decide? */
  get isWaiting(): boolean {
    return this.#held.length > 0;
  }

  switchOff(): void {
    this.#isOn = false;
  }

  /** The events of one read, as they are to be handed on. `now` in ms. */
  take(events: readonly InputEvent[], now: number): readonly InputEvent[] {
    // Where pastes are bracketed, lines without brackets were typed.
    if (events.some(({ type }) => type === "paste")) this.#isOn = false;
    if (!this.#isOn) return [...this.flush(now), ...events];
    const run = textRun(events);
    if (!run) return [...this.flush(now), ...events];
    if (this.isWaiting) {
      this.#held.push(...run);
      return [];
    }
    const [first, ...rest] = run;
    // Enter after what came before; with more after it only because we were busy.
    if (first && isLineEnd(first)) {
      const isEndOfPaste = now - this.#pastedAt < ENTER_MS;
      return [isEndOfPaste ? key("j", { ctrl: true }) : first, ...this.#started(rest)];
    }
    return this.#started(run);
  }

  #started(run: readonly KeyEvent[]): readonly KeyEvent[] {
    if (run.length >= LEAST_CHARACTERS && run.some(isLineEnd)) {
      this.#held.push(...run);
      return [];
    }
    return run;
  }

  flush(now: number): InputEvent[] {
    const held = this.#held;
    this.#held = [];
    const text = held.map(characterOf).join("");
    // One line with its end and nothing after it; or a command, with the keys for what it asks.
    if (!/\n[\s\S]/.test(text) || /^\/[a-z][\w-]*\n/.test(text)) return held;
    this.#pastedAt = now;
    return [{ type: "paste", text }];
  }
}

/** The keys, when all of them write something. */
function textRun(events: readonly InputEvent[]): KeyEvent[] | undefined {
  const keys = events.flatMap((event) => (event.type === "key" && writes(event) ? [event] : []));
  return keys.length === events.length && keys.length > 0 ? keys : undefined;
}

function writes(event: KeyEvent): boolean {
  if (isLineEnd(event) || (event.name === "tab" && !event.shift)) return true;
  if (event.ctrl || event.alt) return false;
  return !/^[a-z][a-z0-9]+$/.test(event.name) || event.name === "space";
}

function isLineEnd({ name, ctrl, alt, shift }: KeyEvent): boolean {
  return (name === "enter" && !ctrl && !alt && !shift) || (name === "j" && ctrl);
}

function characterOf(event: KeyEvent): string {
  if (isLineEnd(event)) return "\n";
  if (event.name === "tab") return "\t";
  return event.name === "space" ? " " : event.name;
}
