import type { LiveSettings } from "./live-settings.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How long somebody may be away before they are called. */
const AWAY_MS = 10_000;

/** Calls a user whose window has no focus: a bell and a message of the terminal. One timer at most, and none while idle. */
export class Notifier {
  readonly #write: (text: string) => void;
  readonly #through: (sequence: string) => string;
  readonly #settings: () => Pick<LiveSettings, "notifies" | "notifiesAlways">;
  #isFocused = true;
  #hasTitle = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    write: (text: string) => void,
    settings: () => Pick<LiveSettings, "notifies" | "notifiesAlways">,
    env: Env = {},
  ) {
    this.#write = write;
    this.#through = (sequence) => passedThrough(sequence, env);
    this.#settings = settings;
  }

  focus(isFocused: boolean): void {
    this.#isFocused = isFocused;
    if (isFocused) clearTimeout(this.#timer);
  }

  /** Something waits for the user: the window's title says so, and they are called when they stay away. */
  wait(text: string, place: string): void {
    this.calm();
    this.#hasTitle = true;
    this.#write(`${SAVE_TITLE}\u001b]0;? ${printable(place)}\u0007`);
    this.#timer = setTimeout(() => this.#call(text), AWAY_MS);
    this.#timer.unref();
  }

  /** Something has ended that took longer than anybody watches. */
  ended(text: string, durationMs: number): void {
    if (durationMs >= AWAY_MS) this.#call(text);
  }

  calm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#hasTitle) this.#write(OLD_TITLE);
    this.#hasTitle = false;
  }

  #call(text: string): void {
    const { notifies, notifiesAlways } = this.#settings();
    if (!notifies || (this.#isFocused && !notifiesAlways)) return;
    this.#write(`\u0007${this.#through(`\u001b]9;${printable(text).replaceAll(";", ",")}\u0007`)}`);
  }
}

/** A multiplexer keeps messages to itself unless they are handed through it. */
function passedThrough(sequence: string, env: Env): string {
  if (env["TMUX"]) return `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
  return /^screen/.test(env["TERM"] ?? "") ? `\u001bP${sequence}\u001b\\` : sequence;
}

/** Terminals keep a stack of titles. */
const SAVE_TITLE = "\u001b[22;0t";
const OLD_TITLE = "\u001b[23;0t";

function printable(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, " ").slice(0, 200);
}
