import { actionOf, type Bindings, type PagerAction } from "../input/keymap.ts";
import type { InputEvent, KeyEvent } from "../input/keys.ts";
import type { PagerContent } from "../port.ts";
import type { Surface } from "../view/screen.ts";
import { cut, fit, safe } from "../view/text.ts";
import type { Theme } from "../view/theme.ts";
import { listRows, listWidth } from "./side-list.ts";

export type PagerOptions = {
  surface: Surface;
  theme: Theme;
  keys: Bindings<PagerAction>;
  content: PagerContent;
  copy(text: string): void;
};

type Row = { text: string; cell: number };

/** Rows on the alternate screen that are scrolled and searched. It draws on keys and on a change of size only. */
export class Pager {
  readonly #options: PagerOptions;
  readonly #closed = Promise.withResolvers<void>();
  #rows: readonly Row[] = [];
  #plain: readonly string[] = [];
  /** Of the terminal, and of the list at the left. */
  #width = 0;
  #list = 0;
  #top = 0;
  /** What is being typed after `/`. */
  #typing: string | undefined;
  #query = "";
  #note = "";

  constructor(options: PagerOptions) {
    this.#options = options;
    this.#layOut();
    if (options.content.startsAtEnd) this.#top = this.#rows.length;
    this.#clamp();
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  take(event: InputEvent): void {
    if (event.type !== "key") return;
    this.#note = "";
    if (this.#typing === undefined) this.#act(actionOf(this.#options.keys, event));
    else this.#type(event);
    this.#clamp();
    this.draw();
  }

  draw(): void {
    const { surface, theme } = this.#options;
    if (surface.columns !== this.#width) this.#layOut();
    this.#clamp();
    const height = this.#height;
    const rows = this.#rows.slice(this.#top, this.#top + height).map(({ text }) => this.#marked(text));
    const current = this.#rows[this.#top]?.cell ?? 0;
    const look = { width: this.#list, height, theme };
    const list = this.#list > 0 ? listRows(this.#options.content, current, look) : [];
    const body = Array.from({ length: height }, (_, i) => `${list[i] ?? ""}${rows[i] ?? ""}\u001b[K`).join(
      "\r\n",
    );
    surface.write(
      `\u001b[?2026h\u001b[?25l\u001b[H${body}\r\n${this.#statusRow(theme)}\u001b[K\u001b[?2026l`,
    );
  }

  close(): void {
    this.#closed.resolve();
  }

  get #height(): number {
    return Math.max(1, this.#options.surface.rows - 1);
  }

  #layOut(): void {
    const { surface, content } = this.#options;
    const before = this.#rows[this.#top]?.cell;
    this.#width = surface.columns;
    this.#list = listWidth(content, this.#width);
    const inner = this.#width - this.#list;
    this.#rows = content.cells.flatMap(({ rows }, cell) => rows(inner).map((text) => ({ text, cell })));
    this.#plain = this.#rows.map(({ text }) => Bun.stripANSI(text).toLowerCase());
    if (before !== undefined)
      this.#top = Math.max(
        0,
        this.#rows.findIndex(({ cell }) => cell === before),
      );
  }

  #act(action: PagerAction | undefined): void {
    switch (action) {
      case undefined:
        return;
      case "line_up":
        this.#top -= 1;
        return;
      case "line_down":
        this.#top += 1;
        return;
      case "page_up":
        this.#top -= this.#height;
        return;
      case "page_down":
        this.#top += this.#height;
        return;
      case "half_page_up":
        this.#top -= Math.ceil(this.#height / 2);
        return;
      case "half_page_down":
        this.#top += Math.ceil(this.#height / 2);
        return;
      case "top":
        this.#top = 0;
        return;
      case "bottom":
        this.#top = this.#rows.length;
        return;
      case "search":
        this.#typing = "";
        return;
      case "next_match":
        this.#find(1);
        return;
      case "previous_match":
        this.#find(-1);
        return;
      case "previous_cell":
        this.#toCell(-1);
        return;
      case "next_cell":
        this.#toCell(1);
        return;
      case "copy_cell":
        this.#copy();
        return;
      case "close":
        this.close();
    }
  }

  #type({ name, ctrl, alt }: KeyEvent): void {
    const typed = this.#typing ?? "";
    if (name === "escape" || (ctrl && name === "c")) this.#typing = undefined;
    else if (name === "backspace") this.#typing = typed.slice(0, -1);
    else if (name === "enter") {
      this.#query = typed.toLowerCase();
      this.#typing = undefined;
      this.#find(1, 0);
    } else if (!ctrl && !alt && !/^[a-z][a-z0-9]+$/.test(name)) this.#typing = typed + name;
  }

  /** Goes to the next row that holds the query, round the end. */
  #find(by: 1 | -1, skip = 1): void {
    const count = this.#plain.length;
    if (this.#query === "" || count === 0) return;
    for (let i = skip; i < count + skip; i++) {
      const at = (this.#top + by * i + count * 2) % count;
      if (!this.#plain[at]?.includes(this.#query)) continue;
      this.#top = at;
      return;
    }
    this.#note = `not found: ${this.#query}`;
  }

  #toCell(by: 1 | -1): void {
    const here = this.#rows[this.#top]?.cell ?? 0;
    const at = this.#rows.findIndex(({ cell }) => cell === here + by);
    if (at >= 0) this.#top = at;
  }

  #copy(): void {
    const cell = this.#options.content.cells[this.#rows[this.#top]?.cell ?? -1];
    if (!cell) return;
    this.#options.copy(cell.text);
    this.#note = "copied";
  }

  #marked(row: string): string {
    const shown = cut(row, this.#width - this.#list);
    const isHit = this.#query !== "" && Bun.stripANSI(row).toLowerCase().includes(this.#query);
    return isHit ? this.#options.theme.accent(Bun.stripANSI(shown)) : shown;
  }

  #statusRow(theme: Theme): string {
    const { content } = this.#options;
    if (this.#typing !== undefined) return cut(`/${safe(this.#typing)}`, this.#width - 1);
    const last = Math.min(this.#rows.length, this.#top + this.#height);
    const place = this.#rows.length === 0 ? "empty" : `${last}/${this.#rows.length}`;
    const help = this.#note === "" ? "q back · / search · [ ] cells · y copies" : this.#note;
    return theme.dim(fit(`${content.title} · ${safe(help)}`, place, this.#width - 1));
  }

  #clamp(): void {
    this.#top = Math.max(0, Math.min(this.#top, this.#rows.length - this.#height));
  }
}
