import {
  autocomplete,
  type CANCEL_SYMBOL,
  confirm,
  isCancel,
  multiselect,
  password,
  select,
  text,
} from "@clack/prompts";
import { terminalSafe } from "../../../util/untrusted-text.ts";
import { cut, safe, safeLine, wrap } from "../view/text.ts";
import type {
  Asker,
  Choice,
  ChoiceQuestion,
  ConfirmQuestion,
  ManyQuestion,
  Task,
  TextQuestion,
} from "./asker.ts";
import type { PromptHost } from "./host.ts";
import { Jumps } from "./jumps.ts";
import { runTask } from "./task.ts";
import { type Press, VirtualTerminal } from "./virtual-terminal.ts";
import { writable } from "./writable-text.ts";

/** A list up to this long is looked over; a longer one is searched. */
const MOST_SELECTED = 8;
/**
 * What the library keeps free beside a label. Of a short list it counts the bytes of its own colours in; a label that
 * were wrapped for them would break the columns.
 */
const BESIDE_SHORT = 17;
const BESIDE_LONG = 8;

/**
 * Asks questions on the main screen, one after the other, until `work` has ended; then the live part is drawn again. An
 * abort of `signal` closes the question that is open.
 */
export async function withDialog<T>(
  host: PromptHost,
  work: (asker: Asker) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  host.clearLive();
  try {
    return await work(new Dialog(host, signal));
  } finally {
    host.repaint();
  }
}

type Option = { value: number; readonly label: string; readonly hint: string | undefined };
type Streams = Pick<VirtualTerminal, "input" | "output"> & { signal: AbortSignal };

class Dialog implements Asker {
  readonly #host: PromptHost;
  readonly #signal: AbortSignal;

  constructor(host: PromptHost, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
  }

  async choose<T>({ message, choices, initial = 0 }: ChoiceQuestion<T>): Promise<T | undefined> {
    const isLong = choices.length > MOST_SELECTED;
    const options = choices.map((choice, value) => this.#optionOf(choice, value, isLong));
    const common = { message: terminalSafe(message), options, initialValue: initial };
    const jumps = new Jumps(choices, initial);
    const index = isLong
      ? await this.#open((streams) =>
          autocomplete<number>({ ...common, ...streams, maxItems: 12, validate: required }),
        )
      : await this.#open(
          (streams) => select<number>({ ...common, ...streams, showInstructions: false }),
          (press) => jumps.take(press),
        );
    return index === undefined ? undefined : choices[index]?.value;
  }

  async chooseMany<T>({ message, choices, marked = [] }: ManyQuestion<T>): Promise<T[] | undefined> {
    let current = 0;
    const options = choices.map((choice, value) => this.#optionOf(choice, value, false, () => current));
    const common = { message: `${terminalSafe(message)} (space marks, enter takes)`, options };
    const picked = await this.#open(
      (streams) =>
        multiselect<number>({
          ...common,
          ...streams,
          initialValues: [...marked],
          required: false,
          maxItems: 12,
          showInstructions: false,
        }),
      (press) => {
        current = (current + stepOf(press) + choices.length) % choices.length;
        return [press];
      },
    );
    return picked?.toSorted((a, b) => a - b).flatMap((index) => choices[index]?.value ?? []);
  }

  async confirm({ message, yes = "Yes", no = "No" }: ConfirmQuestion): Promise<boolean | undefined> {
    const options = { message: terminalSafe(message), active: yes, inactive: no, initialValue: false };
    return await this.#open((streams) => confirm({ ...options, ...streams }));
  }

  async text({ message, placeholder, initial, check }: TextQuestion): Promise<string | undefined> {
    const options = {
      message: terminalSafe(message),
      ...(placeholder === undefined ? {} : { placeholder }),
      ...(initial === undefined ? {} : { initialValue: initial }),
      ...validation(check),
    };
    return (await this.#open((streams) => text({ ...options, ...streams })))?.trim();
  }

  async secret({ message, check }: TextQuestion): Promise<string | undefined> {
    const options = { message: terminalSafe(message), ...validation(check) };
    return (await this.#open((streams) => password({ ...options, ...streams })))?.trim();
  }

  say(lines: string): void {
    const width = Math.max(10, this.#host.columns - 4);
    const rows = ["│", ...wrap(safe(lines), width).map((row) => `│  ${row}`.trimEnd())];
    this.#host.write(writable(`${rows.join("\n")}\n`, this.#host));
  }

  async work<T>(task: Task<T>): Promise<T | undefined> {
    return await runTask(task, this.#host, this.#signal);
  }

  /** Cut for the width that the terminal has when the list is drawn. */
  #optionOf<T>({ label, hint }: Choice<T>, value: number, isLong: boolean, current?: () => number): Option {
    const host = this.#host;
    const plain = safeLine(label);
    const more = hint === undefined ? undefined : safeLine(hint);
    const room = () => Math.max(10, host.columns - (isLong ? BESIDE_LONG : BESIDE_SHORT));
    // Of a list with marks, the library tells the current row by its colour alone.
    const lead = () => (host.hasColor || !current ? "" : current() === value ? "> " : "  ");
    const shown = () => cut(lead() + plain, room());
    const left = () => room() - Bun.stringWidth(shown()) - 3;
    return {
      value,
      get label() {
        return shown();
      },
      get hint() {
        return more === undefined || left() < 8 ? undefined : cut(more, left());
      },
    };
  }

  async #open<V>(
    start: (streams: Streams) => Promise<V | typeof CANCEL_SYMBOL>,
    intercept: (press: Press) => readonly Press[] = (press) => [press],
  ): Promise<V | undefined> {
    using terminal = new VirtualTerminal(this.#host);
    const { input, output } = terminal;
    const answer = start({ input, output, signal: this.#signal });
    const feeding = terminal.feed(intercept);
    const value = await answer;
    terminal[Symbol.dispose]();
    await feeding;
    return isCancel(value) ? undefined : value;
  }
}

/** How a key moves in a list with marks. */
function stepOf({ key: { name = "", ctrl, meta } }: Press): number {
  if (ctrl || meta) return 0;
  if (["down", "right", "j", "l"].includes(name)) return 1;
  return ["up", "left", "k", "h"].includes(name) ? -1 : 0;
}

function required(value: unknown): string | undefined {
  return value === undefined ? "nothing matches; backspace widens the search" : undefined;
}

function validation(check: TextQuestion["check"]) {
  return check ? { validate: (value: string | undefined) => check((value ?? "").trim()) } : {};
}
