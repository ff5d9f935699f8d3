import { PassThrough, Writable } from "node:stream";
import { CLEAR_BELOW } from "../view/screen.ts";
import type { Disturbance, PromptHost } from "./host.ts";
import { keypressOf } from "./keypress.ts";
import { writable } from "./writable-text.ts";

type Size = { columns: number; rows: number };

const NOBODYS: Size = { columns: 2, rows: 1000 };
const HIDE_CURSOR = "\u001b[?25l";

/**
 * A terminal for one question. The real one has another owner, who hands on its keys; so this input gets no bytes: a key
 * is told to its listeners, as readline does once it has read one.
 */
export class VirtualTerminal implements Disposable {
  readonly input: PassThrough;
  readonly output: Writable;
  readonly #host: PromptHost;
  readonly #closed = new AbortController();
  readonly #offDisturbed: (() => void) | undefined;
  /** What the library believes; it follows the real one when the screen is drawn anew. */
  #size: Size;
  /** What the library writes while nothing may be shown. */
  #heard: string[] | undefined;

  constructor(host: PromptHost) {
    this.#host = host;
    // The raw mode of the real terminal is its owner's business.
    this.input = Object.assign(new PassThrough(), { isTTY: true, isRaw: true, setRawMode: () => {} });
    this.#size = { columns: host.columns, rows: host.rows };
    this.output = this.#outputOf(host);
    this.#offDisturbed = host.onDisturbed?.((why) => this.#drawAnew(why));
  }

  /**
   * Hands on keys, one at a time, until the question is closed. `intercept` sees each first: it gives back the keys to
   * hand on in its place.
   */
  async feed(intercept: (event: Press) => readonly Press[]): Promise<void> {
    for (;;) {
      const event = await this.#host.keys.next(this.#closed.signal);
      if (!event) return;
      const press = keypressOf(event);
      for (const one of press ? intercept(press) : []) this.input.emit("keypress", one.text, one.key);
      // A question that closes does so a moment later; the next key must not reach it.
      await nextTurn();
      await nextTurn();
    }
  }

  [Symbol.dispose](): void {
    this.#closed.abort();
    this.#offDisturbed?.();
    this.input.destroy();
    this.output.destroy();
  }

  /**
   * The library draws only what it thinks has changed, and knows nothing of a terminal that wraps its rows anew or shows a
   * shell's between them.
   */
  #drawAnew(why: Disturbance): void {
    const shown = this.#frame(this.#size);
    const size = { columns: this.#host.columns, rows: this.#host.rows };
    const frame = this.#frame(size);
    if (frame === undefined) return;
    const above = why === "resized" ? rowsAbove(shown ?? frame, size.columns) : 0;
    const start = above > 0 ? `\u001b[${above}A\r` : "\r";
    this.#host.write(`${HIDE_CURSOR}${start}${CLEAR_BELOW}${writable(frame, this.#host)}`);
  }

  /**
   * The rows as the library draws them at this size, as many as fit; undefined when it draws nothing any more. It gives
   * them out whole only after rows that were all different: those of a terminal nobody has.
   */
  #frame(size: Size): string | undefined {
    this.#heard = [];
    this.#size = NOBODYS;
    this.output.emit("resize");
    this.#heard = [];
    this.#size = size;
    this.output.emit("resize");
    const frame = this.#heard.at(-1);
    this.#heard = undefined;
    if (frame === undefined) return undefined;
    // The bar above a title is the same at every size.
    return /^[◆▲■◇]/u.test(Bun.stripANSI(frame)) ? `│\n${frame}` : frame;
  }

  #outputOf(host: PromptHost): Writable {
    const output = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        if (this.#heard) this.#heard.push(String(chunk));
        else host.write(writable(String(chunk), host));
        done();
      },
    });
    return Object.defineProperties(output, {
      isTTY: { value: true },
      columns: { get: () => this.#size.columns },
      rows: { get: () => this.#size.rows },
    });
  }
}

export type Press = NonNullable<ReturnType<typeof keypressOf>>;

/** How far above the last row the first one stands, after the terminal has wrapped them at this width. */
function rowsAbove(frame: string, columns: number): number {
  const above = frame.split("\n").slice(0, -1);
  return above.reduce((sum, row) => sum + Math.max(1, Math.ceil(Bun.stringWidth(row) / columns)), 0);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
