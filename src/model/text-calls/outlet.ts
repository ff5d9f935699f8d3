import type { Source } from "./cursor.ts";
import type { Batch, WrittenCall } from "./written-calls.ts";

/** `was_thinking`: all text so far turned out to be a thought, which reads `text`. */
export type Stretch = { kind: "text" | "thinking" | "was_thinking"; text: string };

/** A piece of markup that became calls. */
type Found = { from: number; to: number; isSoft: boolean; calls: WrittenCall[]; refused: WrittenCall[] };
/** A call at the end of a thought, which is one only if nothing more comes. `text` once the thought is over. */
type Rehearsal = Found & { text?: string };

/** What became of the answer so far: all before `#done` was shown or left out. */
export class Outlet {
  kind: "text" | "thinking" = "text";
  /** Whatever comes is to be shown at once. */
  isOpen = false;
  /** Something a person can see came out. */
  hasVisible = false;
  readonly #source: Source;
  #done = 0;
  #stretches: Stretch[] = [];
  #found: Found[] = [];
  /** What was left out of the text since it began. */
  #left: Found[] = [];
  #textFrom = 0;
  #rehearsal: Rehearsal | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  get hasCalls(): boolean {
    return this.#found.length > 0;
  }

  get hasRehearsal(): boolean {
    return this.#rehearsal !== undefined;
  }

  take(): Stretch[] {
    const stretches = this.#stretches;
    this.#stretches = [];
    return stretches;
  }

  show(to: number): void {
    if (to <= this.#done) return;
    const rehearsal = this.#rehearsal;
    if (rehearsal && this.kind === "thinking" && rehearsal.text === undefined) {
      if (this.#isBlank(rehearsal.to, to)) return;
      this.#rehearsal = undefined;
    }
    const text = this.#source.slice(this.#done, to);
    this.#done = to;
    if (this.kind === "text" && text.trim() !== "") {
      this.dropRehearsal();
      this.hasVisible = true;
    }
    this.#emit(this.kind, text);
  }

  hide(to: number): void {
    if (to <= this.#done) return;
    if (this.kind === "text") this.#leaveOut({ from: this.#done, to, isSoft: false, calls: [], refused: [] });
    this.#done = to;
  }

  beginThought(from: number): void {
    this.hide(from);
    this.kind = "thinking";
  }

  endThought(at: number, end: number): void {
    this.show(at);
    const rehearsal = this.#rehearsal;
    if (rehearsal) rehearsal.text ??= this.#source.slice(rehearsal.from, rehearsal.to);
    this.#done = Math.max(end, this.#done);
    this.#beginText();
  }

  /** Takes the calls of `from`…`to`. */
  call(from: number, to: number, isSoft: boolean, { calls, refused }: Batch): void {
    this.show(from);
    const found = { from, to, isSoft, calls: [...calls], refused: [...refused] };
    if (isSoft && this.kind === "thinking") {
      this.#rehearse(found);
      return;
    }
    this.#flushThought();
    this.dropRehearsal();
    this.#found.push(found);
    if (this.kind === "text") this.#leaveOut(found);
    this.#done = to;
  }

  /** The thought that ends at `at` was opened by the chat template. */
  endLoneThought(at: number, end: number): void {
    this.show(at);
    const last = this.#lastSoft(at);
    const text = this.#textBefore(last?.from ?? at);
    const isMarkup = (found: Found) => found.isSoft && this.#left.includes(found);
    this.#found = this.#found.filter((found) => !isMarkup(found));
    if (last) this.#rehearsal = { ...last, text: this.#source.slice(last.from, last.to) };
    if (text.trim() !== "") this.#emit("was_thinking", text);
    this.hasVisible = false;
    this.#done = end;
    this.#beginText();
  }

  /** The call at the end of the thought was none: something else came. */
  dropRehearsal(): void {
    const text = this.#rehearsal?.text;
    if (text === undefined) return;
    this.#rehearsal = undefined;
    this.#emit("thinking", text);
  }

  /** All calls of an answer that is over; `runsRehearsal`: also the one at the end of a thought. */
  finish(runsRehearsal: boolean): { calls: WrittenCall[]; refused: WrittenCall[] } {
    const rehearsal = this.#rehearsal;
    if (rehearsal && !runsRehearsal) {
      this.#rehearsal = undefined;
      this.#emit("thinking", rehearsal.text ?? this.#source.slice(rehearsal.from, rehearsal.to));
    }
    const found = rehearsal && runsRehearsal ? [...this.#found, rehearsal] : this.#found;
    return {
      calls: found.flatMap(({ calls }) => calls),
      refused: found.flatMap(({ refused }) => refused),
    };
  }

  #rehearse(found: Found): void {
    const before = this.#rehearsal;
    if (before?.text === undefined && before && this.#isBlank(before.to, found.from)) {
      before.to = found.to;
      before.calls.push(...found.calls);
      before.refused.push(...found.refused);
      return;
    }
    this.dropRehearsal();
    this.#rehearsal = found;
  }

  /** A call follows inside the same thought: what was held back was a rehearsal. */
  #flushThought(): void {
    const rehearsal = this.#rehearsal;
    if (!rehearsal || rehearsal.text !== undefined) return;
    this.#rehearsal = undefined;
    this.#emit("thinking", this.#source.slice(rehearsal.from, rehearsal.to));
  }

  #beginText(): void {
    this.kind = "text";
    this.#left = [];
    this.#textFrom = this.#done;
  }

  #leaveOut(found: Found): void {
    this.#left.push(found);
  }

  /** Calls at the very end of the text, right before `at`. */
  #lastSoft(at: number): Found | undefined {
    let last: Found | undefined;
    for (const found of this.#left.toReversed()) {
      if (!found.isSoft || !this.#isBlank(found.to, last?.from ?? at)) break;
      last = last
        ? {
            ...last,
            from: found.from,
            calls: [...found.calls, ...last.calls],
            refused: [...found.refused, ...last.refused],
          }
        : found;
    }
    return last;
  }

  #textBefore(at: number): string {
    let text = "";
    let from = this.#textFrom;
    for (const left of this.#left) {
      if (left.isSoft || left.to > at) continue;
      text += this.#source.slice(from, left.from);
      from = left.to;
    }
    return text + this.#source.slice(from, at);
  }

  #isBlank(from: number, to: number): boolean {
    return this.#source.slice(from, to).trim() === "";
  }

  #emit(kind: Stretch["kind"], text: string): void {
    if (text === "") return;
    const last = this.#stretches.at(-1);
    if (last?.kind === kind && kind !== "was_thinking") last.text += text;
    else this.#stretches.push({ kind, text });
  }
}
