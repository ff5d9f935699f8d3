import { PassThrough, Writable } from "node:stream";
import type { PromptHost } from "./host.ts";
import { keypressOf } from "./keypress.ts";
import { writable } from "./writable-text.ts";

/**
 * A terminal for one question. The real one has another owner, who hands on its keys; so this input gets no bytes: a key
 * is told to its listeners, as readline does once it has read one.
 */
export class VirtualTerminal implements Disposable {
  readonly input: PassThrough;
  readonly output: Writable;
  readonly #host: PromptHost;
  readonly #closed = new AbortController();
  readonly #offResize: (() => void) | undefined;

  constructor(host: PromptHost) {
    this.#host = host;
    // The raw mode of the real terminal is its owner's business.
    this.input = Object.assign(new PassThrough(), { isTTY: true, isRaw: true, setRawMode: () => {} });
    this.output = outputOf(host);
    this.#offResize = host.onResize?.(() => this.output.emit("resize"));
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
    this.#offResize?.();
    this.input.destroy();
    this.output.destroy();
  }
}

export type Press = NonNullable<ReturnType<typeof keypressOf>>;

function outputOf(host: PromptHost): Writable {
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      host.write(writable(String(chunk), host));
      done();
    },
  });
  return Object.defineProperties(output, {
    isTTY: { value: true },
    columns: { get: () => host.columns },
    rows: { get: () => host.rows },
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
