import { InputDecoder } from "../../../../src/frontends/tui/input/decoder.ts";
import type { Disturbance, PromptHost } from "../../../../src/frontends/tui/prompts/host.ts";
import { KeyLine } from "../../../../src/frontends/tui/prompts/key-line.ts";

/** A terminal without a terminal: what is typed goes in as bytes, what is written is kept. */
export class FakeHost implements PromptHost {
  columns = 80;
  rows = 24;
  hasColor = false;
  isUnicode = true;
  readonly keys = new KeyLine();
  readonly calls: string[] = [];
  written = "";
  readonly #decoder = new InputDecoder();
  #disturbed: ((why: Disturbance) => void) | undefined;
  #watchers: { text: string; done: () => void }[] = [];

  /** Bytes as one read of a terminal delivers them, a lone Esc at their end included. */
  type(text: string): void {
    const bytes = new TextEncoder().encode(text);
    for (const event of [...this.#decoder.push(bytes), ...this.#decoder.flush()]) this.keys.push(event);
  }

  write(text: string): void {
    this.written += text;
    const due = this.#watchers.filter((one) => this.written.includes(one.text));
    this.#watchers = this.#watchers.filter((one) => !due.includes(one));
    for (const { done } of due) done();
  }

  /** Resolves once this text was written. */
  shows(text: string): Promise<void> {
    if (this.written.includes(text)) return Promise.resolve();
    return new Promise((done) => this.#watchers.push({ text, done }));
  }

  onDisturbed(listener: (why: Disturbance) => void): () => void {
    this.#disturbed = listener;
    return () => {
      this.#disturbed = undefined;
    };
  }

  disturb(why: Disturbance): void {
    this.#disturbed?.(why);
  }

  clearLive(): void {
    this.calls.push("clear");
  }

  repaint(): void {
    this.calls.push("repaint");
  }

  /** What was typed and nobody asked for, as text. */
  rest(): string {
    return this.keys
      .rest()
      .map((event) => (event.type === "key" ? event.name : event.type))
      .join("");
  }
}
