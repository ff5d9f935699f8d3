/** Where a frame goes: the terminal's own output. `columns` and `rows` are read anew for each frame. */
export type Surface = { columns: number; rows: number; write(text: string): void };
export type Cursor = { row: number; column: number };

const BEGIN = "\u001b[?2026h\u001b[?25l";
const END = "\u001b[?2026l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_ROW = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

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
    const body = this.#pending.length > 0 ? this.#rewritten(live) : this.#changed(live);
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

  /** Committed rows go where the live part begins; the live part is drawn anew below them. */
  #rewritten(live: readonly string[]): string {
    const pending = this.#pending.splice(0);
    const text = [...pending, ...live].map((row) => `${CLEAR_ROW}${row}`).join("\r\n");
    const start = `${up(this.#cursor.row)}\r`;
    const isShorter = pending.length + live.length < this.#live.length;
    this.#live = [...live];
    this.#cursor = { row: Math.max(0, live.length - 1), column: 0 };
    return `${start}${text}\r${isShorter ? `\r\n${CLEAR_BELOW}${up(1)}` : ""}`;
  }

  #changed(live: readonly string[]): string {
    const old = this.#live;
    let text = "";
    let row = this.#cursor.row;
    let height = Math.max(1, old.length);
    const goTo = (wanted: number): void => {
      const inside = Math.min(wanted, height - 1);
      text += inside < row ? up(row - inside) : down(inside - row);
      text += "\r\n".repeat(wanted - inside);
      height = Math.max(height, wanted + 1);
      row = wanted;
    };
    for (const [i, content] of live.entries()) {
      if (content === old[i]) continue;
      goTo(i);
      const kept = keptOf(old[i] ?? "", content);
      text += `\r${right(kept)}${CLEAR_ROW}${content.slice(kept)}`;
    }
    if (live.length < old.length) {
      goTo(live.length);
      text += `\r${CLEAR_BELOW}`;
    }
    this.#live = [...live];
    this.#cursor = { row, column: 0 };
    return text === "" ? "" : `${text}\r`;
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

/** Below this, moving to the place takes as much as writing anew. */
const LEAST_KEPT = 6;

/**
 * How many characters at the beginning of a row can stay as they are on the screen. Only plain ASCII is kept, and up to a
 * space: there no style is open, a character is a cell, and what follows joins nothing before it.
 */
function keptOf(old: string, now: string): number {
  let end = 0;
  while (end < now.length && isPrintable(now.charCodeAt(end)) && old.charCodeAt(end) === now.charCodeAt(end))
    end += 1;
  const space = now.lastIndexOf(" ", end - 1);
  return end > 0 && space >= LEAST_KEPT ? space : 0;
}

function isPrintable(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}

/** From wherever the cursor stands in its row to `to`. */
function move(from: Cursor, to: Cursor): string {
  const vertical = to.row < from.row ? up(from.row - to.row) : down(to.row - from.row);
  return `${vertical}\r${right(to.column)}`;
}
