import { splitAtBytes } from "../../util/truncate.ts";

export type Output = {
  text: string;
  /** Bytes that were left out in the middle; the text says so at that place. */
  omittedBytes: number;
  /** Lines of all that was written, also of what was left out. */
  lines: number;
};

/**
 * Text of any length in bounded memory: the first half and the last half of `maxBytes` are kept, what lies between is
 * only counted.
 */
export class OutputBuffer {
  readonly #half: number;
  #head: string[] = [];
  #headBytes = 0;
  /** Pieces of at least `PIECE` bytes, so that output in small portions does not make a long list. */
  #tail: string[] = [];
  #tailBytes = 0;
  #omittedBytes = 0;
  #newlines = 0;
  #endsLine = true;

  constructor(maxBytes = 1024 * 1024) {
    this.#half = Math.floor(maxBytes / 2);
  }

  /** What is in memory now, at most `maxBytes` and one piece. */
  get heldBytes(): number {
    return this.#headBytes + this.#tailBytes;
  }

  append(text: string): void {
    if (text === "") return;
    this.#newlines += text.split("\n").length - 1;
    this.#endsLine = text.endsWith("\n");
    const [head, rest] = splitAtBytes(text, this.#tailBytes === 0 ? this.#half - this.#headBytes : 0);
    if (head !== "") {
      this.#head.push(head);
      this.#headBytes += Buffer.byteLength(head);
    }
    if (rest !== "") this.#appendTail(rest);
  }

  read(): Output {
    const lines = this.#newlines + (this.#endsLine ? 0 : 1);
    const head = this.#head.join("");
    const tail = this.#tail.join("");
    const surplus = this.#tailBytes - this.#half;
    if (surplus <= 0 && this.#omittedBytes === 0) return { text: head + tail, omittedBytes: 0, lines };
    const [, kept] = splitAtBytes(tail, Math.max(0, surplus));
    const omittedBytes = this.#omittedBytes + this.#tailBytes - Buffer.byteLength(kept);
    return { text: `${head}\n... ${omittedBytes} bytes omitted ...\n${kept}`, omittedBytes, lines };
  }

  /** Reads and starts anew. */
  take(): Output {
    const output = this.read();
    this.#head = [];
    this.#tail = [];
    this.#headBytes = this.#tailBytes = this.#omittedBytes = this.#newlines = 0;
    this.#endsLine = true;
    return output;
  }

  #appendTail(text: string): void {
    const last = this.#tail.at(-1);
    if (last !== undefined && last.length < PIECE) this.#tail[this.#tail.length - 1] = last + text;
    else this.#tail.push(text);
    this.#tailBytes += Buffer.byteLength(text);
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      const bytes = Buffer.byteLength(first);
      if (this.#tailBytes - bytes < this.#half) return;
      this.#tail.shift();
      this.#tailBytes -= bytes;
      this.#omittedBytes += bytes;
    }
  }
}

const PIECE = 16 * 1024;
