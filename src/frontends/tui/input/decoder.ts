import { type InputEvent, type KeyEvent, key } from "./keys.ts";
import { decodeSequence } from "./sequences.ts";

/** How long a lone Esc waits for the rest of a sequence. */
export const ESCAPE_WAIT_MS = 25;
/** A sequence longer than this is not a key. */
const MAX_SEQUENCE = 64;
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";

/**
 * Turns the bytes of a terminal into events. Reads may end anywhere: inside a character, a sequence or a paste. What is
 * held back because it may go on is given out by `flush`, which the owner calls after `ESCAPE_WAIT_MS` without input.
 */
export class InputDecoder {
  readonly #utf8 = new TextDecoder("utf-8");
  #rest = "";
  #paste: string | undefined;

  /** Is something held back that only time can decide? */
  get isWaiting(): boolean {
    return this.#rest !== "" && this.#paste === undefined;
  }

  push(bytes: Uint8Array): InputEvent[] {
    // A terminal writes Alt with a letter at once. An Esc that came alone and then a letter are two keys.
    const wasAlone = this.#rest === "\u001b" && this.#paste === undefined;
    const text = this.#utf8.decode(bytes, { stream: true });
    const early = wasAlone && text !== "" && !/^[[\]OP]/.test(text) ? this.flush() : [];
    this.#rest += text;
    return [...early, ...this.#take(false)];
  }

  flush(): InputEvent[] {
    return this.#take(true);
  }

  #take(isFinal: boolean): InputEvent[] {
    const events: InputEvent[] = [];
    for (;;) {
      const event = this.#paste === undefined ? this.#next(isFinal) : this.#pasted();
      if (event === undefined) return events;
      if (event !== "nothing") events.push(event);
    }
  }

  #pasted(): InputEvent | undefined {
    const end = this.#rest.indexOf(PASTE_END);
    if (end < 0) {
      // The end mark may be cut: keep as much as could be its beginning.
      const keep = Math.min(this.#rest.length, PASTE_END.length - 1);
      this.#paste += this.#rest.slice(0, this.#rest.length - keep);
      this.#rest = this.#rest.slice(this.#rest.length - keep);
      return undefined;
    }
    const text = (this.#paste ?? "") + this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + PASTE_END.length);
    this.#paste = undefined;
    return { type: "paste", text: text.replace(/\r\n?/g, "\n") };
  }

  #next(isFinal: boolean): InputEvent | "nothing" | undefined {
    const text = this.#rest;
    if (text === "") return undefined;
    if (text.startsWith(PASTE_START)) {
      this.#rest = text.slice(PASTE_START.length);
      this.#paste = "";
      return "nothing";
    }
    if (text[0] === "\u001b") return this.#escape(text, isFinal);
    const character = firstGrapheme(text);
    this.#rest = text.slice(character.length);
    return plainKey(character);
  }

  #escape(text: string, isFinal: boolean): InputEvent | "nothing" | undefined {
    const length = sequenceLength(text);
    if (length === undefined && !isFinal && text.length < MAX_SEQUENCE) return undefined;
    if (length === undefined || length === 1) {
      this.#rest = text.slice(1);
      return key("escape");
    }
    const sequence = text.slice(0, length);
    this.#rest = text.slice(length);
    if (sequence[1] !== "[" && sequence[1] !== "O" && sequence[1] !== "]" && sequence[1] !== "P") {
      return { ...plainKey(sequence.slice(1)), alt: true };
    }
    return decodeSequence(sequence) ?? "nothing";
  }
}

/** The length of the sequence that `text` begins with; undefined while it may go on. */
function sequenceLength(text: string): number | undefined {
  const second = text[1];
  if (second === undefined) return undefined;
  // Esc and then a control key, pressed one after the other: nobody means both at once, but for Alt with Enter or Backspace.
  if (second < " " && second !== "\r" && second !== "\n" && second !== "\b") return 1;
  if (second === "[") {
    const end = /^\u001b\[[0-?]*[ -/]*[@-~]/.exec(text);
    if (end) return end[0].length;
    // A second bracket: old Linux console function keys.
    const console = /^\u001b\[\[[A-E]/.exec(text);
    if (console) return console[0].length;
    return /^\u001b\[[0-?]*[ -/]*$/.test(text) ? undefined : 1;
  }
  if (second === "O") return text[2] === undefined ? undefined : 3;
  if (second === "]" || second === "P") {
    const end = /^\u001b[\]P][^\u0007\u001b]*(?:\u0007|\u001b\\)/.exec(text);
    return end?.[0].length;
  }
  return 1 + firstGrapheme(text.slice(1)).length;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function firstGrapheme(text: string): string {
  // Segmenting the whole of a large unbracketed paste for each character would be quadratic.
  for (const { segment } of graphemes.segment(text.slice(0, 64))) return segment;
  return text.slice(0, 1);
}

const CONTROL_NAMES: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  127: "backspace",
};

function plainKey(character: string): KeyEvent {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\r\n") return key("enter");
  const named = CONTROL_NAMES[code];
  if (named) return key(named);
  if (code === 0) return key("space", { ctrl: true });
  if (code === 10) return key("j", { ctrl: true });
  if (code < 27) return key(String.fromCharCode(code + 96), { ctrl: true });
  if (code < 32) return key(String.fromCharCode(code + 64).toLowerCase(), { ctrl: true });
  return key(character, { shift: character !== character.toLowerCase() });
}
