/** A parser that may run out of text: it yields to wait for more, and returns its result. */
export type Parse<T> = Generator<undefined, T, undefined>;

const BLOCK = 4096;
const SPACES = new Set([9, 10, 11, 12, 13, 32, 0xa0, 0xfeff]);

/** The text of an answer as far as it has come. Kept in blocks, so that a long answer in small pieces costs no copying. */
export class Source {
  readonly #blocks: string[] = [];
  #tail = "";
  /** The newest piece, where nearly all looks go: a look into the tail would put its pieces together each time. */
  #newest = "";
  /** In UTF-16 code units, as all positions here. */
  length = 0;
  hasEnded = false;

  append(text: string): void {
    this.length += text.length;
    this.#newest = text;
    this.#tail += text;
    let at = 0;
    for (; this.#tail.length - at >= BLOCK; at += BLOCK) this.#blocks.push(this.#tail.slice(at, at + BLOCK));
    if (at > 0) this.#tail = this.#tail.slice(at);
  }

  /** The code unit at a position; NaN where there is none, or none yet. */
  code(at: number): number {
    const inNewest = at - (this.length - this.#newest.length);
    if (inNewest >= 0) return this.#newest.charCodeAt(inNewest);
    const block = Math.floor(at / BLOCK);
    const text = block === this.#blocks.length ? this.#tail : this.#blocks[block];
    return text?.charCodeAt(at % BLOCK) ?? Number.NaN;
  }

  slice(from: number, to: number): string {
    let text = "";
    for (let at = from; at < to; ) {
      const block = Math.floor(at / BLOCK);
      const piece = block < this.#blocks.length ? this.#blocks[block] : this.#tail;
      const end = Math.min(to, (block + 1) * BLOCK);
      text += piece?.slice(at % BLOCK, end - block * BLOCK) ?? "";
      at = end;
    }
    return text;
  }
}

/** A place in the text, and the small steps that parsers are made of. A step that fails leaves the place as it was. */
export class Cursor {
  pos = 0;
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  /** The code unit at a distance; NaN when the answer ends before it. */
  *peek(ahead = 0): Parse<number> {
    while (this.pos + ahead >= this.source.length) {
      if (this.source.hasEnded) return Number.NaN;
      yield;
    }
    return this.source.code(this.pos + ahead);
  }

  *peekChar(): Parse<string> {
    const code = yield* this.peek();
    return Number.isNaN(code) ? "" : String.fromCharCode(code);
  }

  *skipSpace(): Parse<void> {
    while (SPACES.has(yield* this.peek())) this.pos += 1;
  }

  *skipBlanks(): Parse<void> {
    for (let code = yield* this.peek(); code === 32 || code === 9; code = yield* this.peek()) this.pos += 1;
  }

  /** Steps over `mark` when the text goes on with it. */
  *take(mark: string): Parse<boolean> {
    for (let i = 0; i < mark.length; i++) {
      if ((yield* this.peek(i)) !== mark.charCodeAt(i)) return false;
    }
    this.pos += mark.length;
    return true;
  }

  /** Steps over the characters that `accepts`, `most` at most, and returns them. */
  *word(accepts: RegExp, most: number): Parse<string> {
    let length = 0;
    for (; length < most; length++) {
      const code = yield* this.peek(length);
      if (Number.isNaN(code) || !accepts.test(String.fromCharCode(code))) break;
    }
    const word = this.source.slice(this.pos, this.pos + length);
    this.pos += length;
    return word;
  }

  /** Goes to the next place of one of `codes`; to the end of the answer when there is none. */
  *seek(...codes: readonly number[]): Parse<boolean> {
    for (;;) {
      for (; this.pos < this.source.length; this.pos++) {
        if (codes.includes(this.source.code(this.pos))) return true;
      }
      if (this.source.hasEnded) return false;
      yield;
    }
  }

  isSpaceBetween(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (!SPACES.has(this.source.code(at))) return false;
    return true;
  }
}
