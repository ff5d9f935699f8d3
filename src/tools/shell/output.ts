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
  #head = "";
  #headBytes = 0;
  /** Small portions are put together, so that they do not make a long list. */
  #tail: { text: string; bytes: number }[] = [];
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
      this.#head += head;
      this.#headBytes += Buffer.byteLength(head);
    }
    if (rest !== "") this.#appendTail(rest);
  }

  read(): Output {
    const lines = this.#newlines + (this.#endsLine ? 0 : 1);
    const tail = this.#tail.map((piece) => piece.text).join("");
    const surplus = this.#tailBytes - this.#half;
    if (surplus <= 0 && this.#omittedBytes === 0) return { text: this.#head + tail, omittedBytes: 0, lines };
    const [, kept] = splitAtBytes(tail, Math.max(0, surplus));
    const omittedBytes = this.#omittedBytes + this.#tailBytes - Buffer.byteLength(kept);
    return { text: `${this.#head}\n... ${omittedBytes} bytes omitted ...\n${kept}`, omittedBytes, lines };
  }

  /** Reads and starts anew. */
  take(): Output {
    const output = this.read();
    this.#head = "";
    this.#tail = [];
    this.#headBytes = this.#tailBytes = this.#omittedBytes = this.#newlines = 0;
    this.#endsLine = true;
    return output;
  }

  #appendTail(text: string): void {
    const bytes = Buffer.byteLength(text);
    const last = this.#tail.at(-1);
    if (last && last.bytes < PIECE_BYTES) {
      last.text += text;
      last.bytes += bytes;
    } else {
      this.#tail.push({ text, bytes });
    }
    this.#tailBytes += bytes;
    for (let first = this.#tail[0]; first; first = this.#tail[0]) {
      if (this.#tailBytes - first.bytes < this.#half) return;
      this.#tail.shift();
      this.#tailBytes -= first.bytes;
      this.#omittedBytes += first.bytes;
    }
  }
}

const PIECE_BYTES = 16 * 1024;
