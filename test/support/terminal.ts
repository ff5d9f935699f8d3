/** Control sequences, strings to the terminal (titles, the clipboard), line ends, characters. */
const TOKENS =
  /\u001b\[([?<=>]?)([0-9;]*)([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\r|\n|[^\u001b\r\n]/gu;

/** The part of a terminal that our renderer speaks to: rows, scrollback, cursor. Wide characters take two cells. */
export class FakeTerminal {
  columns: number;
  rows: number;
  written = "";
  row = 0;
  column = 0;
  isCursorShown = true;
  #lines: string[][] = [[]];
  #top = 0;
  /** Private modes that are switched on, by number. */
  readonly modes = new Set<string>();
  /** The main screen while the alternate one is shown. */
  #main: { lines: string[][]; top: number; row: number; column: number } | undefined;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  /** All rows that were ever on the screen, without trailing blanks. */
  get history(): string[] {
    return trimmed(this.#lines);
  }

  get screen(): string[] {
    return trimmed(this.#lines.slice(this.#top));
  }

  write(text: string): void {
    this.written += text;
    const tokens = text.matchAll(TOKENS);
    for (const [token, mark, parameters = "", final] of tokens) {
      if (final !== undefined) this.#control(mark ?? "", parameters, final);
      else if (!token.startsWith("\u001b]")) this.#plain(token);
    }
  }

  #plain(token: string): void {
    if (token === "\r") this.column = 0;
    else if (token === "\n") this.#lineFeed();
    else this.#put(token);
  }

  #put(character: string): void {
    const width = Bun.stringWidth(character);
    if (this.column + width > this.columns) {
      this.column = 0;
      this.#lineFeed();
    }
    const line = this.#line();
    while (line.length < this.column) line.push(" ");
    if (width === 0) line[this.column - 1] += character;
    else line.splice(this.column, width, character, ...(width === 2 ? [""] : []));
    this.column += width;
  }

  #lineFeed(): void {
    this.row += 1;
    if (this.row < this.rows) return;
    this.row = this.rows - 1;
    this.#top += 1;
  }

  #line(): string[] {
    const at = this.#top + this.row;
    while (this.#lines.length <= at) this.#lines.push([]);
    return this.#lines[at] ?? [];
  }

  #control(mark: string, parameters: string, final: string): void {
    const n = Number(parameters || "1");
    if (mark !== "") {
      if (mark === "?") this.#mode(parameters, final === "h");
      return;
    }
    if (final === "H") {
      this.row = 0;
      this.column = 0;
    }
    if (final === "A") this.row = Math.max(0, this.row - n);
    if (final === "B") this.row = Math.min(this.rows - 1, this.row + n);
    if (final === "C") this.column = Math.min(this.columns - 1, this.column + n);
    if (final === "L") {
      const at = this.#top + this.row;
      this.#line();
      this.#lines.splice(at, 0, ...Array.from({ length: n }, () => []));
      this.#lines.splice(this.#top + this.rows);
      this.column = 0;
    }
    if (final === "K") this.#line().splice(this.column);
    if (final === "J") {
      // As tmux does: what is cleared from the very first cell on goes to the scrollback.
      if (this.row === 0 && this.column === 0 && !this.#main) this.#top = this.#lines.length;
      this.#line().splice(this.column);
      this.#lines.splice(this.#top + this.row + 1);
    }
  }

  #mode(parameters: string, isOn: boolean): void {
    if (isOn) this.modes.add(parameters);
    else this.modes.delete(parameters);
    if (parameters === "25") this.isCursorShown = isOn;
    if (parameters !== "1049" || isOn === (this.#main !== undefined)) return;
    if (isOn) {
      const { row, column } = this;
      this.#main = { lines: this.#lines, top: this.#top, row, column };
      this.#lines = [[]];
      this.#top = 0;
    } else if (this.#main) {
      this.#lines = this.#main.lines;
      this.#top = this.#main.top;
      this.row = this.#main.row;
      this.column = this.#main.column;
      this.#main = undefined;
    }
  }
}

function trimmed(lines: readonly string[][]): string[] {
  const texts = lines.map((line) => line.join("").trimEnd());
  while (texts.at(-1) === "") texts.pop();
  return texts;
}
