import type { Cursor, Parse } from "./cursor.ts";

type Region =
  | { kind: "fence"; char: number; length: number }
  | { kind: "span"; length: number }
  | { kind: "quote" };
/** The line that opens a fence. */
export type FenceLine = { char: number; length: number; info: string };

const BACKTICK = 96;
const TILDE = 126;
const QUOTE = 62;
const MOST_INDENT = 3;
const LONGEST_INFO = 100;

/** Follows Markdown as far as it says what is quoted: fences, spans of back-ticks, quoted lines. */
export class CodeRegions {
  #region: Region | undefined;

  get isInside(): boolean {
    return this.#region !== undefined;
  }

  /** At the start of a line. Returns a fence that begins here; the caller decides whether it holds a call. */
  *startLine(c: Cursor): Parse<FenceLine | undefined> {
    const from = c.pos;
    yield* c.skipBlanks();
    const first = yield* c.peek();
    if (c.pos - from > MOST_INDENT) return undefined;
    if (this.#region?.kind === "fence") yield* this.#closeFence(c, this.#region);
    else if (first === BACKTICK || first === TILDE) return yield* fenceLine(c, first);
    else if (first === QUOTE && !((yield* c.peek(1)) === QUOTE && (yield* c.peek(2)) === QUOTE))
      this.#region = { kind: "quote" };
    return undefined;
  }

  openFence({ char, length }: FenceLine): void {
    this.#region = { kind: "fence", char, length };
  }

  endLine(): void {
    if (this.#region?.kind !== "fence") this.#region = undefined;
  }

  /** Steps over a run of back-ticks, which opens or closes a span. */
  *backticks(c: Cursor): Parse<void> {
    const length = yield* run(c, BACKTICK);
    if (!this.#region) this.#region = { kind: "span", length };
    else if (this.#region.kind === "span" && this.#region.length === length) this.#region = undefined;
  }

  *#closeFence(c: Cursor, fence: { char: number; length: number }): Parse<void> {
    if ((yield* run(c, fence.char)) < fence.length) return;
    yield* c.skipBlanks();
    const next = yield* c.peek();
    // A token that ends the answer may be right after the fence.
    if (Number.isNaN(next) || next === 10 || next === 13 || next === 60) this.#region = undefined;
  }
}

/** The rest of a fence's first line; undefined, and the cursor back, when it is a span of back-ticks. */
function* fenceLine(c: Cursor, char: number): Parse<FenceLine | undefined> {
  const back = c.pos;
  const length = yield* run(c, char);
  const info = length < 3 ? "" : yield* c.word(/[^\n<`]/, LONGEST_INFO);
  if (length >= 3 && (yield* c.peek()) !== BACKTICK) return { char, length, info: info.trim() };
  c.pos = back;
  return undefined;
}

/** Steps over a run of one code unit, and returns how many there were. */
export function* run(c: Cursor, code: number): Parse<number> {
  const from = c.pos;
  while ((yield* c.peek()) === code) c.pos += 1;
  return c.pos - from;
}
