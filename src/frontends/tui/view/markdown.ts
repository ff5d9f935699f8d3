import { closedForNow, isClosed } from "./inline.ts";
import { Blocks, type Look } from "./markdown-blocks.ts";
import { parseLine } from "./markdown-lines.ts";
import { safe } from "./text.ts";
import type { Theme } from "./theme.ts";

export type MarkdownOptions = {
  /** What is open is given out in part when it has more rows than this. */
  maxOpenRows?: number;
};

const MAX_OPEN_ROWS = 6;
/** A line end; a carriage return at the very end may be half of one. */
const LINE_END = /\r\n|\n|\r(?!$)/;
const BREAK = / |[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3](?!\p{M})/gu;
/** How many places are looked at before a cut. */
const MOST_TRIES = 20;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Markdown that arrives piece by piece. `commit` gives each row of what is finished once; `open` the rows of what may
 * still change; `end` finishes all. A text much longer than a screen costs no more per piece than a short one.
 */
export class MarkdownStream {
  readonly #most: number;
  readonly #blocks = new Blocks();
  #rest = "";
  /** The beginning of the line in `#rest` was taken before. */
  #isMidLine = false;
  /** The open rows as they were last drawn: a key or a clock draws a frame in which nothing came. */
  #drawn: { rows: string[]; width: number; theme: Theme } | undefined;

  constructor({ maxOpenRows = MAX_OPEN_ROWS }: MarkdownOptions = {}) {
    this.#most = maxOpenRows;
  }

  push(delta: string): void {
    this.#rest += delta;
    this.#drawn = undefined;
  }

  commit(width: number, theme: Theme): string[] {
    const look = { width: Math.max(2, width), theme };
    const lines = this.#rest.split(LINE_END);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.#drawn = undefined;
      feed(this.#blocks, safe(line), this.#isMidLine, look);
      this.#isMidLine = false;
    }
    if (lines.length > 0) this.#blocks.giveOut(this.#most, true, look);
    if (this.#rest.length > this.#most * look.width) this.#takePart(look);
    return this.#blocks.take();
  }

  open(width: number, theme: Theme): string[] {
    if (this.#drawn?.width !== width || this.#drawn.theme !== theme)
      this.#drawn = { rows: this.#openRows(width, theme), width, theme };
    return this.#drawn.rows;
  }

  #openRows(width: number, theme: Theme): string[] {
    const look = { width: Math.max(2, width), theme };
    const draft = this.#blocks.clone();
    const lines = this.#rest.split(LINE_END);
    const last = lines.pop() ?? "";
    for (const [i, line] of lines.entries()) feed(draft, safe(line), this.#isMidLine && i === 0, look);
    const isMidLine = this.#isMidLine && lines.length === 0;
    const isMarkComing = /^\s*(?:[`~]{1,2}|<\/?(?:p[a-z_]*)?)$/.test(last);
    if (last !== "" && !isMarkComing) {
      const shown = safe(last.replace(/\r$/, ""));
      feed(draft, draft.isInCode ? shown : closedForNow(shown), isMidLine, look);
    }
    return [...draft.take(), ...draft.openRows(look)];
  }

  end(width: number, theme: Theme): string[] {
    const look = { width: Math.max(2, width), theme };
    if (this.#rest !== "") this.#rest = `${this.#rest.replace(/\r$/, "")}\n`;
    const rows = this.commit(width, theme);
    this.#drawn = undefined;
    this.#blocks.close(look);
    return [...rows, ...this.#blocks.take()];
  }

  /** Takes the beginning of a line that is longer than the open part may be. */
  #takePart(look: Look): void {
    const { kind } = parseLine(this.#rest);
    const isText = this.#isMidLine || ((kind === "text" || kind === "item") && !this.#rest.includes("|"));
    if (this.#blocks.isInCode || !isText) return;
    const length = breakOf(this.#rest, this.#most * look.width * 4);
    if (length === 0) return;
    this.#drawn = undefined;
    feed(this.#blocks, safe(this.#rest.slice(0, length)), this.#isMidLine, look);
    this.#rest = this.#rest.slice(length);
    this.#isMidLine = true;
    this.#blocks.giveOut(0, false, look);
  }
}

function feed(blocks: Blocks, line: string, isMidLine: boolean, look: Look): void {
  if (isMidLine) blocks.append(line);
  else blocks.line(line, look);
}

/**
 * Where a text can be cut: before a space, or after a letter that is written without spaces, outside of emphasis, code and
 * links; anywhere when it is longer than `most`.
 */
function breakOf(text: string, most: number): number {
  const ends = [...text.matchAll(BREAK)].map(({ index, 0: mark }) => index + mark.trim().length);
  const end = ends.slice(-MOST_TRIES).findLast((at) => isClosed(text.slice(0, at)));
  if (end !== undefined || text.length <= most) return end ?? 0;
  const from = Math.max(0, text.length - 64);
  const last = [...graphemes.segment(text.slice(from))].at(-1)?.index ?? 0;
  return ends.at(-1) ?? from + last;
}
