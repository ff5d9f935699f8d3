import { terminalSafe } from "../../../util/untrusted-text.ts";
import type { InputEvent, KeyEvent } from "../input/keys.ts";

/** A key as Node's readline tells it to its listeners. */
export type Keypress = {
  text: string | undefined;
  key: { name?: string; sequence: string; ctrl: boolean; meta: boolean; shift: boolean };
};

const SEQUENCES: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  backspace: "\u007f",
  space: " ",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  delete: "\u001b[3~",
};
/** Others would suspend the process, clear the screen or end the reader of the line. */
const EDITING = "abefhkuw";
const WORD_KEYS = ["b", "f", "d", "backspace"];

/** The event in the form that a question reads; undefined for what means nothing to one. */
export function keypressOf(event: InputEvent): Keypress | undefined {
  if (event.type === "paste") return pasted(event.text);
  if (event.type !== "key") return undefined;
  const { name, ctrl, alt } = event;
  if (ctrl && (name === "c" || name === "d")) return press("c", "\u0003", { ctrl: true });
  if (ctrl) return EDITING.includes(name) ? press(name, controlCharacter(name), { ctrl: true }) : undefined;
  if (alt) return WORD_KEYS.includes(name) ? press(name, `\u001b${name}`, { meta: true }) : undefined;
  return plain(event);
}

/** A question takes one line, and what is pasted into it often ends with a line end, or hides a mark of its page. */
function pasted(text: string): Keypress | undefined {
  const line = terminalSafe(text)
    .trim()
    .replace(/\s*\n\s*/g, " ");
  return line === "" ? undefined : press(undefined, line, {});
}

function plain({ name: written, shift }: KeyEvent): Keypress | undefined {
  const name = written === " " ? "space" : written;
  const sequence = SEQUENCES[name];
  if (sequence !== undefined) return press(name === "enter" ? "return" : name, sequence, { shift });
  // Keys without a character have names of several ASCII letters.
  if (/^[a-z][a-z0-9]+$/.test(name)) return undefined;
  return press(/^[a-z0-9]$/i.test(name) ? name.toLowerCase() : undefined, name, { shift });
}

function press(
  name: string | undefined,
  sequence: string,
  { ctrl = false, meta = false, shift = false },
): Keypress {
  const text = sequence.startsWith("\u001b") ? undefined : sequence;
  return { text, key: { ...(name === undefined ? {} : { name }), sequence, ctrl, meta, shift } };
}

function controlCharacter(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) - 96);
}
