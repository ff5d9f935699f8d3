import type { DialogOwner } from "./dialogs.ts";
import type { Frame } from "./frame.ts";
import { FrameClock } from "./frame-clock.ts";
import type { Keymap } from "./input/keymap.ts";
import type { InputEvent } from "./input/keys.ts";
import { Pager } from "./pager/pager.ts";
import type { PagerContent } from "./port.ts";
import type { Disturbance } from "./prompts/host.ts";
import { Terminal } from "./terminal.ts";
import { Screen } from "./view/screen.ts";
import type { Theme, ThemeOptions } from "./view/theme.ts";

export type StageOwner = {
  /** False where only ASCII can be shown. */
  readonly isUnicode: boolean;
  input(event: InputEvent): void;
  /** Is it the key that hands the terminal to the shell, also from a pager and a question? */
  isSuspension(event: InputEvent): boolean;
  lost(): void;
  /** Rows that belong to the scrollback, given out once. */
  finished(width: number): string[];
  frame(width: number, height: number): Frame;
};

/** What is on the terminal: the conversation, or a pager, or a question; and when it is drawn. */
export class Stage {
  readonly terminal: Terminal;
  readonly #owner: StageOwner;
  readonly #screen: Screen;
  readonly #clock: FrameClock;
  #pager: Pager | undefined;
  #promptDisturbed: ((why: Disturbance) => void) | undefined;
  #isPrompt = false;
  #isPaintDue = false;
  #isOver = false;

  constructor(owner: StageOwner) {
    this.#owner = owner;
    const listener = {
      input: (event: InputEvent) => this.#input(event),
      resized: () => this.#resized(),
      resumed: () => this.#resumed(),
      leaving: () => this.#leaving(),
      lost: () => owner.lost(),
    };
    this.terminal = new Terminal(listener, owner.isUnicode);
    this.#screen = new Screen(this.terminal);
    this.#clock = new FrameClock(
      () => this.#draw(),
      () => this.terminal.isBehind,
    );
  }

  open(): void {
    this.terminal.open();
    this.#clock.now();
  }

  /** Draws within a frame's time. */
  request(): void {
    this.#clock.request();
  }

  /** Draws at once, but several keys that come with one read together. */
  soon(): void {
    if (this.#isPaintDue) return;
    this.#isPaintDue = true;
    queueMicrotask(() => {
      this.#isPaintDue = false;
      this.#clock.now();
    });
  }

  /** Draws now; `isWhole`: also what seems unchanged. */
  redraw(isWhole = false): void {
    if (this.#pager) this.#pager.draw();
    else if (isWhole && !this.#isPrompt) this.#screen.clear();
    this.#clock.now();
  }

  commit(rows: readonly string[]): void {
    this.#screen.commit(rows);
  }

  clearAll(): void {
    this.#screen.clear();
    this.terminal.write("\u001b[H\u001b[2J\u001b[3J");
    this.#screen.invalidate();
  }

  async page(
    content: PagerContent,
    {
      hasAlternate,
      ...look
    }: { theme: Theme; keys: Keymap["pager"]; copy(text: string): void; hasAlternate: boolean },
  ): Promise<void> {
    if (!hasAlternate) {
      this.commit(content.cells.flatMap(({ rows }) => rows(this.terminal.columns)));
      this.request();
      return;
    }
    const { terminal } = this;
    const before = terminal.columns;
    const pager = new Pager({ surface: terminal, content, ...look });
    terminal.setAlternate(true);
    this.#pager = pager;
    pager.draw();
    await pager.closed;
    this.#pager = undefined;
    terminal.setAlternate(false);
    if (terminal.columns !== before) this.#screen.resized();
    this.#clock.now();
  }

  /** Takes the live part away and gives the terminal back. */
  close(): void {
    this.#isOver = true;
    this.#clock.stop();
    this.#leaving();
    this.terminal.close();
  }

  promptSurface({ level, isUnicode = true }: ThemeOptions): DialogOwner["surface"] {
    const { terminal } = this;
    return {
      get columns() {
        return terminal.columns;
      },
      get rows() {
        return terminal.rows;
      },
      hasColor: level > 0,
      isUnicode,
      write: (text) => terminal.write(text),
      clearLive: () => {
        this.#leaving();
        this.#isPrompt = true;
      },
      repaint: () => {
        this.#isPrompt = false;
        this.#clock.now();
      },
      onDisturbed: (listener) => {
        this.#promptDisturbed = listener;
        return () => {
          this.#promptDisturbed = undefined;
        };
      },
    };
  }

  #input(event: InputEvent): void {
    const isElsewhere = this.#pager !== undefined || this.#isPrompt;
    if (isElsewhere && this.#owner.isSuspension(event)) this.terminal.suspend();
    else if (this.#pager) this.#pager.take(event);
    else this.#owner.input(event);
  }

  #leaving(): void {
    this.#pager?.close();
    this.terminal.setAlternate(false);
    if (this.#isPrompt) return;
    this.#screen.commit(this.#owner.finished(this.terminal.columns));
    this.#screen.clear();
  }

  #resumed(): void {
    if (this.#isPrompt) this.#promptDisturbed?.("resumed");
    else this.redraw(true);
  }

  #resized(): void {
    if (this.#pager) this.#pager.draw();
    else if (this.#isPrompt) this.#promptDisturbed?.("resized");
    else {
      this.#screen.resized();
      this.#clock.resized();
    }
  }

  #draw(): void {
    if (this.#pager || this.#isPrompt || this.#isOver || !this.terminal.isOurs) return;
    const { columns, rows } = this.terminal;
    this.#screen.commit(this.#owner.finished(columns));
    const frame = this.#owner.frame(columns, rows);
    this.#screen.paint(frame.rows, frame.cursor);
  }
}
