import { type Gap, gapBetween, rowChange } from "./row-change.ts";

/** Where a frame goes: the terminal's own output. `columns` and `rows` are read anew for each frame. */
export type Surface = { columns: number; rows: number; write(text: string): void };
export type Cursor = { row: number; column: number };

const BEGIN = "\u001b[?2026h\u001b[?25l";
const END = "\u001b[?2026l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_ROW = "\u001b[K";
/**
 * From the beginning of a row on. Not from the very first cell: there, tmux takes it for a screen that is done with, and
 * moves all of it into the scrollback.
 */
export const CLEAR_BELOW = "\u001b[K\u001b[C\u001b[J\r";

/**
 * Draws on the main screen: rows that are committed belong to the terminal's scrollback and are never touched again; the
 * live rows below them are rewritten where they changed. Rows hold styled text, each at most as wide as the terminal. One
 * frame is one write.
 */
export class Screen {
  readonly #surface: Surface;
  #live: string[] = [];
  #cursor: Cursor = { row: 0, column: 0 };
  #pending: string[] = [];
  #columns: number;

  constructor(surface: Surface) {
    this.#surface = surface;
    this.#columns = surface.columns;
  }

  /** Rows for the scrollback; they are written with the next frame. */
  commit(rows: readonly string[]): void {
    this.#pending.push(...rows);
  }

  /** Draws the committed rows and the live part. Of a live part taller than the screen, the end is shown. */
  paint(rows: readonly string[], cursor: Cursor): void {
    const most = Math.max(1, this.#surface.rows - 1);
    const hidden = Math.max(0, rows.length - most);
    const live = rows.slice(hidden);
    const at = { row: Math.min(live.length - 1, Math.max(0, cursor.row - hidden)), column: cursor.column };
    const body = this.#changed(live, most);
    this.#surface.write(BEGIN + body + move(this.#cursor, at) + SHOW_CURSOR + END);
    this.#cursor = at;
  }

  /** After the size changed: the terminal has wrapped the live rows anew, so that they are cleared and drawn again. */
  resized(): void {
    const columns = Math.max(1, this.#surface.columns);
    const above = this.#live
      .slice(0, this.#cursor.row)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(Bun.stringWidth(row) / columns)), 0);
    const inRow = columns < this.#columns ? Math.floor(this.#cursor.column / columns) : 0;
    this.#columns = columns;
    this.#surface.write(`${up(above + inRow)}\r${CLEAR_BELOW}`);
    this.#forget();
  }

  /** Removes the live part; what comes next, by whomever, stands where it began. */
  clear(): void {
    const pending = this.#pending.splice(0).map((row) => `${row}${CLEAR_ROW}\r\n`);
    this.#surface.write(`${up(this.#cursor.row)}\r${CLEAR_BELOW}${pending.join("")}`);
    this.#forget();
  }

  /** Somebody else drew on the screen, or cleared it: the next frame is drawn whole, from the cursor's row on. */
  invalidate(): void {
    this.#forget();
  }

  #forget(): void {
    this.#live = [];
    this.#cursor = { row: 0, column: 0 };
  }

  /**
   * Committed rows go where the live part begins, and the live part below them. What stands there already is not written
   * again: often a row that was live is committed as it was. Rows are written from above to below, so that what scrolls
   * away is finished.
   */
  #changed(live: readonly string[], most: number): string {
    const pending = this.#pending.splice(0);
    const rows = [...pending, ...live];
    const pen = new Pen(this.#cursor.row, this.#live.length);
    // Only where all of it is on the screen: a row that is moved must not be pushed off it.
    const gap = rows.length <= most ? gapBetween(this.#live, rows) : undefined;
    const old = gap ? pen.open(gap, this.#live) : this.#live;
    for (const [i, row] of rows.entries()) if (row !== old[i]) pen.put(i, old[i] ?? "", row);
    if (rows.length < old.length) pen.clearFrom(rows.length);
    this.#live = [...live];
    this.#cursor = { row: pen.row - pending.length, column: 0 };
    return pen.text === "" ? "" : `${pen.text}\r`;
  }
}

/** Moves over the rows from the first live one on, and writes into them. */
class Pen {
  text = "";
  row: number;
  /** How many rows there are already. */
  #height: number;

  constructor(row: number, height: number) {
    this.row = row;
    this.#height = Math.max(1, height);
  }

  put(at: number, old: string, row: string): void {
    this.#goTo(at);
    const { column, text, isToEnd } = rowChange(old, row);
    this.text += `\r${right(column)}${isToEnd ? CLEAR_ROW : ""}${text}`;
  }

  clearFrom(at: number): void {
    this.#goTo(at);
    this.text += `\r${CLEAR_BELOW}`;
  }

  /** Makes room for rows by moving those below; gives back what the rows show then. */
  open({ at, count }: Gap, rows: readonly string[]): string[] {
    this.#goTo(this.#height - 1 + count);
    this.#goTo(at);
    this.text += `\r\u001b[${count}L`;
    return [...rows.slice(0, at), ...Array.from({ length: count }, () => ""), ...rows.slice(at)];
  }

  #goTo(wanted: number): void {
    const inside = Math.min(wanted, this.#height - 1);
    this.text += inside < this.row ? up(this.row - inside) : down(inside - this.row);
    this.text += "\r\n".repeat(wanted - inside);
    this.#height = Math.max(this.#height, wanted + 1);
    this.row = wanted;
  }
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

function down(rows: number): string {
  return rows > 0 ? `\u001b[${rows}B` : "";
}

function right(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : "";
}

/** From wherever the cursor stands in its row to `to`. */
function move(from: Cursor, to: Cursor): string {
  const vertical = to.row < from.row ? up(from.row - to.row) : down(to.row - from.row);
  return `${vertical}\r${right(to.column)}`;
}
