import { type Code, codeOf, paintCode } from "./code.ts";
import { inline, isClosed } from "./inline.ts";
import type { Span } from "./languages.ts";
import { cellsOf, closesFence, delimiterRow, type Line, parseLine } from "./markdown-lines.ts";
import { type Table, tableRows, withRow } from "./table.ts";
import { hang, wrap } from "./text.ts";
import type { Theme } from "./theme.ts";

export type Look = { width: number; theme: Theme };

/**
 * The block that is open. `after`: what came before it. `gap`: it is set off by an empty row, which was not
 * given out yet. Text goes after `lead`, and
 * after `rest` from its second row on; `begun` is its last row, drawn, when those before it were given out.
 */
type Block =
  | (Head & { kind: "text"; lead: string; rest: string; begun: string; text: string })
  | (Head & { kind: "code"; indent: number; fence: string; code: Code; inside: Span | undefined })
  | (Head & { kind: "table"; table: Table })
  | (Head & { kind: "quote"; inner: Blocks });
type Head = { gap: boolean; after: Kind | undefined };
type Kind = "text" | "code" | "table" | "quote" | "item" | "heading" | "rule";

const MOST_DEPTH = 6;
/** Where there is no room for its bar, a quote is text. */
const LEAST_QUOTE = 12;

/** Takes Markdown line by line. Rows of what is finished are given out by `take`; `openRows` are those of the rest. */
export class Blocks {
  #open: Block | undefined;
  #rows: string[] = [];
  /** The kind of the last block, and whether empty lines follow it. */
  #last: Kind | undefined;
  #isBlank = false;
  /** Text set in by this much goes on with a list item; 0 outside of lists. */
  #itemIndent = 0;
  readonly #depth: number;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  /** A copy that goes its own way. */
  clone(): Blocks {
    const copy = new Blocks(this.#depth);
    copy.#rows = [...this.#rows];
    copy.#last = this.#last;
    copy.#isBlank = this.#isBlank;
    copy.#itemIndent = this.#itemIndent;
    copy.#open = this.#open && { ...this.#open };
    if (copy.#open?.kind === "quote") copy.#open.inner = copy.#open.inner.clone();
    return copy;
  }

  take(): string[] {
    return this.#rows.splice(0);
  }

  get isInCode(): boolean {
    return this.#open?.kind === "code";
  }

  line(line: string, look: Look): void {
    if (this.#open?.kind === "code") {
      if (closesFence(line, this.#open.fence)) this.close(look);
      else this.#codeLine(line, this.#open, look);
      return;
    }
    const aligns = delimiterRow(line);
    if (aligns && this.#beginTable(aligns, look)) return;
    const parsed = parseLine(line);
    if (this.#open?.kind === "table" && line.includes("|") && parsed.kind !== "blank") {
      this.#tableRow(line, this.#open, look);
      return;
    }
    this.#parsed(parsed, line, look);
  }

  /** More of the line that came last, which is text. */
  append(text: string): void {
    if (this.#open?.kind === "text") this.#open.text += text;
  }

  close(look: Look): void {
    this.#rows.push(...this.openRows(look));
    this.#open = undefined;
  }

  openRows(look: Look): string[] {
    const block = this.#open;
    if (!block) return [];
    return withGap(block, rowsOf(block, look));
  }

  /**
   * Gives out what it can of an open text of more than `most` rows: all rows but the last, which is kept for what goes on
   * in its line, or all of its lines, when the last one is whole and can't be the head of a table.
   */
  giveOut(most: number, isWhole: boolean, look: Look): void {
    const block = this.#open;
    if (block?.kind === "quote")
      this.#quoteRows(block, look, (inner, at) => inner.giveOut(most, isWhole, at));
    if (block?.kind !== "text") return;
    const rows = rowsOf(block, look);
    if (rows.length <= most) return;
    const cut = isWhole && block.text.includes("|") ? block.text.lastIndexOf("\n") + 1 : block.text.length;
    // Emphasis that goes on in the next line would be torn; for how long that is waited has an end.
    if (!isClosed(block.text.slice(0, cut)) && rows.length <= most * 4) return;
    const { lead, rest } = block;
    const drawn = block.begun + inline(block.text.slice(0, cut).trimEnd(), look.theme);
    const done = wrap(drawn, Math.max(2, look.width - Bun.stringWidth(lead)));
    const begun = isWhole ? "" : (done.pop() ?? "");
    if (cut === 0 || done.length === 0) return;
    this.#rows.push(
      ...withGap(
        block,
        done.map((row, i) => (i === 0 ? lead : rest) + row),
      ),
    );
    this.#open = { ...block, gap: false, lead: rest, begun, text: block.text.slice(cut) };
  }

  #parsed(parsed: Line, line: string, look: Look): void {
    switch (parsed.kind) {
      case "blank":
        this.close(look);
        this.#isBlank = true;
        return;
      case "fence":
        this.#beginCode(parsed, look);
        return;
      case "heading":
        this.#single(
          "heading",
          look,
          hang(look.theme.heading(inline(parsed.text, look.theme)), look.width, ""),
        );
        return;
      case "rule":
        this.#single("rule", look, [look.theme.dim(look.theme.marks.line.repeat(Math.min(look.width, 20)))]);
        return;
      case "underline":
        if (!this.#becomesHeading(look)) this.#text(line.trim(), 0, look);
        return;
      case "item": {
        const space = Math.min(parsed.indent, Math.floor(look.width / 3));
        this.#beginText("item", `${" ".repeat(space)}${parsed.mark} `, parsed.text, look);
        this.#itemIndent = space + parsed.mark.length + 1;
        return;
      }
      case "quote":
        this.#quoteLine(parsed.text, look);
        return;
      case "text":
        this.#text(parsed.text, parsed.indent, look);
        return;
    }
  }

  #text(text: string, spaces: number, look: Look): void {
    if (this.#open?.kind === "text") {
      const inside = " ".repeat(Math.max(0, spaces - this.#itemIndent));
      this.#open.text += this.#open.text === "" ? text : `\n${inside}${text}`;
      return;
    }
    if (spaces === 0) this.#itemIndent = 0;
    const isDrawing = this.#itemIndent === 0 && spaces >= 4;
    if (isDrawing) {
      const rows = hang(look.theme.code(text), look.width, " ".repeat(Math.min(spaces, look.width >> 1)));
      this.#single("text", look, rows);
      return;
    }
    this.#beginText("text", " ".repeat(Math.min(spaces, this.#itemIndent)), text, look);
  }

  #beginText(kind: "text" | "item", lead: string, text: string, look: Look): void {
    const head = this.#begin(kind, look);
    const isTooWide = lead.length * 2 > look.width;
    const [mark, shown] = isTooWide ? ["", lead.trimStart() + text] : [lead, text];
    this.#open = { ...head, kind: "text", lead: mark, rest: " ".repeat(mark.length), begun: "", text: shown };
  }

  #becomesHeading(look: Look): boolean {
    if (this.#open?.kind !== "text" || this.#last !== "text") return false;
    this.#rows.push(
      ...withGap(
        this.#open,
        rowsOf(this.#open, look).map((row) => look.theme.heading(row)),
      ),
    );
    this.#open = undefined;
    this.#last = "heading";
    return true;
  }

  #single(kind: Kind, look: Look, rows: readonly string[]): void {
    const { gap } = this.#begin(kind, look);
    this.#rows.push(...(gap ? [""] : []), ...rows);
  }

  #beginCode({ indent: spaces, fence, language }: Extract<Line, { kind: "fence" }>, look: Look): void {
    const inItem = Math.min(spaces, this.#itemIndent);
    const head = this.#begin(inItem > 0 ? "item" : "code", look);
    this.#open = { ...head, kind: "code", indent: spaces, fence, code: codeOf(language), inside: undefined };
  }

  #codeLine(line: string, block: Extract<Block, { kind: "code" }>, look: Look): void {
    const spaces = line.length - line.trimStart().length;
    const margin = Math.min(block.indent, this.#itemIndent) + 2;
    const text = line.slice(Math.min(spaces, block.indent)).trimEnd();
    const { painted, inside } = paintCode(text, block.code, block.inside, look.theme);
    const rows =
      text === "" ? [""] : hang(painted, look.width, " ".repeat(Math.min(margin, look.width >> 1)));
    this.#rows.push(...withGap(block, rows));
    this.#open = { ...block, gap: false, inside };
  }

  #beginTable(aligns: Table["aligns"], look: Look): boolean {
    const block = this.#open;
    if (block?.kind !== "text" || block.begun !== "") return false;
    const lines = block.text.split("\n");
    const head = cellsOf(lines.pop() ?? "");
    if (head.length !== aligns.length) return false;
    if (lines.length > 0) this.#open = { ...block, text: lines.join("\n") };
    else {
      this.#open = undefined;
      this.#last = block.after;
      this.#isBlank = block.gap;
    }
    this.#open = { ...this.#begin("table", look), kind: "table", table: { head, aligns, rows: [] } };
    return true;
  }

  #tableRow(line: string, block: Extract<Block, { kind: "table" }>, look: Look): void {
    const { table, done } = withRow(block.table, line, look);
    this.#rows.push(...withGap(block, done));
    this.#open = { ...block, gap: block.gap && done.length === 0, table };
  }

  #quoteLine(text: string, look: Look): void {
    if (this.#open?.kind !== "quote") {
      if (this.#depth >= MOST_DEPTH || look.width < LEAST_QUOTE) {
        this.#text(text, 0, look);
        return;
      }
      this.#open = { ...this.#begin("quote", look), kind: "quote", inner: new Blocks(this.#depth + 1) };
    }
    if (this.#open?.kind === "quote") this.#quoteRows(this.#open, look, (inner, at) => inner.line(text, at));
  }

  #quoteRows(
    block: Extract<Block, { kind: "quote" }>,
    look: Look,
    act: (inner: Blocks, look: Look) => void,
  ): void {
    act(block.inner, inQuote(look));
    const rows = quoted(block.inner.take(), look);
    this.#rows.push(...withGap(block, rows));
    if (rows.length > 0) this.#open = { ...block, gap: false };
  }

  /** Closes what is open; tells whether an empty row comes before a block of this kind. */
  #begin(kind: Kind, look: Look): Head {
    this.close(look);
    const after = this.#last;
    const isSetOff = this.#isBlank || kind === "heading" || isApart(kind) || isApart(after);
    this.#last = kind;
    this.#isBlank = false;
    if (kind !== "item" && kind !== "text") this.#itemIndent = 0;
    return { gap: after !== undefined && isSetOff, after };
  }
}

function isApart(kind: Kind | undefined): boolean {
  return kind === "code" || kind === "table" || kind === "rule";
}

function withGap(block: Block, rows: readonly string[]): string[] {
  return block.gap && rows.length > 0 ? ["", ...rows] : [...rows];
}

function rowsOf(block: Block, look: Look): string[] {
  const { width, theme } = look;
  switch (block.kind) {
    case "text":
      // All of it was given out already.
      if (block.begun + block.text + block.lead.trim() === "") return [];
      return hang(block.begun + inline(block.text, theme), width, block.lead, block.rest);
    case "code":
      return [];
    case "table":
      return tableRows(block.table, look);
    case "quote":
      return quoted(block.inner.openRows(inQuote(look)), look);
  }
}

function inQuote({ width, theme }: Look): Look {
  return { width: Math.max(2, width - 2), theme };
}

function quoted(rows: readonly string[], { theme }: Look): string[] {
  return rows.map((row) => `${theme.dim(theme.marks.bar)} ${row}`.trimEnd());
}
