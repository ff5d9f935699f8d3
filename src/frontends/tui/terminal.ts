import { ReadStream, WriteStream } from "node:tty";
import { ESCAPE_WAIT_MS, InputDecoder } from "./input/decoder.ts";
import type { InputEvent } from "./input/keys.ts";
import { BURST_MS, PasteBurst } from "./input/paste-burst.ts";
import { Output } from "./output.ts";
import type { Surface } from "./view/screen.ts";

export type TerminalListener = {
  input(event: InputEvent): void;
  resized(): void;
  /** The terminal is ours again after somebody else had it: everything must be drawn anew. */
  resumed(): void;
  /** Somebody else gets the terminal: what is live must leave the screen. */
  leaving(): void;
  /** The terminal is gone. */
  lost(): void;
};

/** Bracketed paste, focus reports, and the kitty keyboard protocol's first flag; a terminal ignores what it does not know. */
const ENTER = "\u001b[?2004h\u001b[?1004h\u001b[>1u";
/** Undoes everything that may have been switched on; harmless where nothing was. */
const LEAVE = "\u001b[<u\u001b[?1004l\u001b[?2004l\u001b[?2026l\u001b[?25h";
const LEAVE_ALTERNATE = "\u001b[?1049l";

/**
 * What was typed before we were there comes within this time, from a terminal that was not raw yet: it made a line feed of
 * Enter.
 */
const WAITING_MS = 100;
const LINE_FEED = 10;
const RETURN = 13;

/**
 * The one owner of the terminal: raw mode, keys, size, and the way back. However the program ends, `restore` leaves the
 * terminal as it was.
 */
export class Terminal implements Surface {
  readonly #listener: TerminalListener;
  readonly #isUnicode: boolean;
  readonly #decoder = new InputDecoder();
  readonly #output: Output;
  readonly #undo: (() => void)[] = [];
  #input: ReadStream | undefined;
  #size = { columns: 80, rows: 24 };
  readonly #burst = new PasteBurst();
  #escapeTimer: ReturnType<typeof setTimeout> | undefined;
  #burstTimer: ReturnType<typeof setTimeout> | undefined;
  #mayBeCooked = true;
  #isOurs = false;
  #isAlternate = false;

  /** `isUnicode`: false where only ASCII can be shown. */
  constructor(listener: TerminalListener, isUnicode: boolean) {
    this.#listener = listener;
    this.#isUnicode = isUnicode;
    this.#output = new Output(1, () => this.#lose());
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  /** Is the terminal slower than what we write? Frames may be left out then; written text is never lost. */
  get isBehind(): boolean {
    return this.#output.isBehind;
  }

  /** False while somebody else has it, such as an editor: nothing may be drawn then. */
  get isOurs(): boolean {
    return this.#isOurs;
  }

  open(): void {
    this.#measure();
    const input = new ReadStream(0);
    this.#input = input;
    this.#take();
    // Counted from when events come at all: a busy start must not make it too short.
    setTimeout(() => setTimeout(() => this.#expectRaw(), WAITING_MS).unref(), 0).unref();
    input.on("data", (bytes: Uint8Array) => this.#read(bytes));
    input.on("error", () => this.#lose());
    input.on("end", () => this.#lose());
    this.#on("SIGWINCH", () => {
      this.#measure();
      this.#listener.resized();
    });
    this.#on("SIGTSTP", () => this.suspend());
    this.#on("SIGCONT", () => this.#continue());
    const restore = () => this.restore();
    process.on("exit", restore);
    // Before any other handler: a message about a crash must find a sane terminal.
    process.prependListener("uncaughtException", restore);
    process.prependListener("unhandledRejection", restore);
    this.#undo.push(() => {
      process.off("exit", restore);
      process.off("uncaughtException", restore);
      process.off("unhandledRejection", restore);
    });
  }

  /** Lines that come at once without paste brackets are taken as typed. */
  ignoreBursts(): void {
    this.#burst.switchOff();
  }

  write(text: string): void {
    this.#output.write(this.#isUnicode ? text : text.replace(/[·…]/g, (sign) => (sign === "·" ? "-" : "~")));
  }

  /** The alternate screen, for pagers; the main one comes back as it was. */
  setAlternate(isOn: boolean): void {
    if (this.#isAlternate === isOn) return;
    this.#isAlternate = isOn;
    this.write(isOn ? "\u001b[?1049h" : LEAVE_ALTERNATE);
  }

  /** Hands the terminal to the shell until the user comes back. */
  suspend(): void {
    this.#listener.leaving();
    this.restore();
    // Not SIGTSTP: we handle that one ourselves.
    process.kill(process.pid, "SIGSTOP");
  }

  /** Gives the terminal to another program, such as an editor, and takes it back. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#listener.leaving();
    this.#input?.pause();
    this.restore();
    try {
      return await work();
    } finally {
      this.#take();
      this.#input?.resume();
      this.#listener.resumed();
    }
  }

  /** Switches everything off that was switched on; may be called at any time, any number of times. */
  restore(): void {
    if (!this.#isOurs) return;
    this.#isOurs = false;
    clearTimeout(this.#escapeTimer);
    clearTimeout(this.#burstTimer);
    this.setAlternate(false);
    this.write(LEAVE);
    this.#output.flush();
    try {
      this.#input?.setRawMode(false);
    } catch {
      // The terminal is gone, and its mode with it.
    }
  }

  close(): void {
    this.restore();
    for (const undo of this.#undo.splice(0)) undo();
    this.#output.close();
    this.#input?.destroy();
    this.#input = undefined;
  }

  #take(): void {
    if (this.#isOurs) return;
    this.#isOurs = true;
    this.#input?.setRawMode(true);
    this.write(ENTER);
  }

  #continue(): void {
    // A stop that we did not see coming (SIGSTOP) leaves the terminal to the shell, which sets its own mode.
    this.#isOurs = false;
    this.#measure();
    this.#take();
    this.#listener.resumed();
  }

  /** A stream knows the size that its terminal had when the stream was made. */
  #measure(): void {
    const [columns, rows] = new WriteStream(1).getWindowSize();
    this.#size = { columns: Math.max(1, columns || 80), rows: Math.max(1, rows || 24) };
  }

  #expectRaw(): void {
    this.#mayBeCooked = false;
  }

  #read(bytes: Uint8Array): void {
    clearTimeout(this.#escapeTimer);
    clearTimeout(this.#burstTimer);
    const wasCooked = this.#mayBeCooked;
    if (wasCooked && bytes.at(-1) === LINE_FEED) bytes[bytes.length - 1] = RETURN;
    this.#mayBeCooked = false;
    const events = this.#decoder.push(bytes);
    // What was typed before we were there comes at once, too.
    this.#give(wasCooked ? events : this.#burst.take(events, performance.now()));
    if (this.#burst.isWaiting)
      this.#burstTimer = setTimeout(() => this.#give(this.#burst.flush(performance.now())), BURST_MS);
    if (this.#decoder.isWaiting)
      this.#escapeTimer = setTimeout(() => this.#give(this.#decoder.flush()), ESCAPE_WAIT_MS);
  }

  #give(events: readonly InputEvent[]): void {
    for (const event of events) this.#listener.input(event);
  }

  #lose(): void {
    if (!this.#isOurs) return;
    this.#isOurs = false;
    this.#listener.lost();
  }

  #on(signal: NodeJS.Signals, handler: () => void): void {
    process.on(signal, handler);
    this.#undo.push(() => process.off(signal, handler));
  }
}
