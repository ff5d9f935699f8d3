import { CodeRegions, type FenceLine } from "./code-regions.ts";
import { Cursor, type Parse, Source } from "./cursor.ts";
import { HARMONY_ENDS, readHarmonyCall, readHarmonyHead, readStrippedHarmony } from "./formats/harmony.ts";
import { readHead, readK3Calls } from "./formats/k3-calls.ts";
import { readValue, STRICT } from "./json-value.ts";
import { takeAnyMark } from "./marks.ts";
import type { OfferedTools } from "./offered-tools.ts";
import { type Opener, WRAPPER_ENDS } from "./opener-table.ts";
import { type FoundOpener, mayBeginMark, type Openers, WITH_CALLS, WITHOUT_CALLS } from "./openers.ts";
import { Outlet } from "./outlet.ts";
import { WholeAnswer } from "./whole-answer.ts";
import { Batch } from "./written-calls.ts";

/** Where a step has led: to the start of a line or as good as that, into a new part of the answer, or to its end. */
type Step = "none" | "text" | "line" | "restart" | "ended";
/** How an answer ended. */
export type Ending = {
  /** By the token limit or a lost connection. */
  isCut: boolean;
  /** The server has found calls itself. */
  hasNativeCalls: boolean;
};
type CallOpener = Extract<Opener, { kind: "call" }>;
/** Marks that end a thought, and marks that end it without being part of it. */
type ThoughtEnd = { closers: readonly string[]; before: readonly string[] };

const HARMONY_THOUGHT: ThoughtEnd = { closers: HARMONY_ENDS, before: ["<|start|>", "<|channel|>"] };
const K3_FRAMES = new Set(["response", "message", "tools", "call"]);
const NEVER: ThoughtEnd = { closers: [], before: [] };

/** Reads one answer, or its reasoning, from beginning to end. The steps wait wherever the text is not there yet. */
export class Answer {
  readonly source = new Source();
  readonly outlet = new Outlet(this.source);
  readonly #c = new Cursor(this.source);
  readonly #tools: OfferedTools;
  readonly #openers: Openers;
  readonly #whole: WholeAnswer;
  readonly #script: Parse<void>;
  #ending: Ending = { isCut: false, hasNativeCalls: false };
  #code = new CodeRegions();
  #startsAnswer = true;
  #isHarmony = false;
  #hasWrapper = false;

  constructor(tools: OfferedTools, field: "text" | "reasoning") {
    this.#tools = tools;
    this.#openers = tools.isEmpty ? WITHOUT_CALLS : WITH_CALLS;
    this.#whole = new WholeAnswer(tools, this.#openers);
    this.#script = field === "text" ? this.#answer() : this.#reasoning();
  }

  push(delta: string): void {
    this.source.append(delta);
    this.#resume();
  }

  end(ending: Ending): void {
    this.#ending = ending;
    this.source.hasEnded = true;
    this.#resume();
  }

  #resume(): void {
    this.#script.next();
    if (this.outlet.isOpen) this.outlet.show(this.source.length);
  }

  *#reasoning(): Parse<void> {
    this.outlet.kind = "thinking";
    yield* this.#prose(NEVER);
  }

  *#answer(): Parse<void> {
    do {
      yield* this.#start();
    } while (yield* this.#prose(undefined));
  }

  /** Thoughts, and forms that are calls only as the whole answer. */
  *#start(): Parse<void> {
    const c = this.#c;
    let hasThought = c.pos > 0;
    this.#startsAnswer = true;
    this.#code = new CodeRegions();
    for (;;) {
      yield* c.skipSpace();
      if (hasThought) this.outlet.hide(c.pos);
      const found = yield* this.#openers.find(c, "start");
      if (found?.opener.kind === "think") {
        yield* this.#thought(found.end, found.opener.closer);
        hasThought = true;
      } else if (found?.opener.kind === "closer") {
        this.outlet.endLoneThought(c.pos, found.end);
        c.pos = found.end;
        hasThought = true;
      } else if (found?.opener.kind === "wrapper" && hasThought) {
        this.#hasWrapper = true;
        this.outlet.hide(found.end);
        c.pos = found.end;
      } else if (found) {
        return;
      } else break;
    }
    const stripped = yield* this.#strippedHarmony();
    if (stripped || this.#tools.isEmpty) return;
    yield* this.#wholeAnswer();
  }

  *#wholeAnswer(): Parse<void> {
    const c = this.#c;
    const from = c.pos;
    const batch = yield* this.#whole.read(c);
    if (batch && this.#mayRunWhole()) {
      this.outlet.call(from, this.source.length, false, batch);
      return;
    }
    c.pos = from;
    if (!(yield* this.#looksLikeJson())) return;
    // An answer in JSON may quote markup; none of it counts.
    this.#startsAnswer = false;
    this.outlet.isOpen = true;
    yield* readValue(c, STRICT);
    this.outlet.isOpen = false;
  }

  *#looksLikeJson(): Parse<boolean> {
    const c = this.#c;
    const from = c.pos;
    if (yield* c.take("[")) yield* c.skipSpace();
    const first = yield* c.peekChar();
    c.pos = from;
    return first === "{";
  }

  #mayRunWhole(): boolean {
    return !this.#ending.isCut && !this.#ending.hasNativeCalls;
  }

  *#thought(from: number, closer: string): Parse<void> {
    this.#c.pos = from;
    this.outlet.beginThought(from);
    yield* this.#prose({ closers: [closer], before: [] });
  }

  /**
   * Text, or a thought when there is something that ends it. True when the thought is over, or when the text turned out to
   * be one; false at the end of the answer.
   */
  *#prose(thought: ThoughtEnd | undefined): Parse<boolean> {
    let step: Step = "line";
    for (;;) {
      if (step === "line") step = yield* this.#lineStart(thought);
      else if (yield* this.#seek()) step = yield* this.#inLine(thought);
      else return false;
      if (step === "restart") return true;
      if (step === "ended") return false;
    }
  }

  /** The cursor stands at a character that may mean something. */
  *#inLine(thought: ThoughtEnd | undefined): Parse<Step> {
    const c = this.#c;
    const code = c.source.code(c.pos);
    if (code === 10) {
      c.pos += 1;
      this.#code.endLine();
      return "line";
    }
    if (code === 96) {
      yield* this.#code.backticks(c);
      return "text";
    }
    if (thought && (yield* this.#endThought(thought))) return "restart";
    const step = this.#code.isInside ? "none" : yield* this.#opener(thought ? "thought" : "text");
    if (step === "none") c.pos += 1;
    return step;
  }

  /** Goes to the next character that may mean something, and shows all before it. */
  *#seek(): Parse<boolean> {
    const c = this.#c;
    for (;;) {
      while (c.pos < c.source.length && !this.#isOfInterest(c.pos)) c.pos += 1;
      this.outlet.show(c.pos);
      if (c.pos < c.source.length) return true;
      if (c.source.hasEnded) return false;
      this.#startsAnswer = false;
      yield;
    }
  }

  #isOfInterest(at: number): boolean {
    const code = this.source.code(at);
    switch (code) {
      case 10:
      case 96:
        return true;
      case 60:
      case 91:
      case 93:
        return mayBeginMark(code, this.source.code(at + 1));
      default:
        return false;
    }
  }

  *#lineStart(thought: ThoughtEnd | undefined): Parse<Step> {
    const c = this.#c;
    const from = c.pos;
    const startsAnswer = this.#startsAnswer;
    this.#startsAnswer = false;
    this.outlet.show(from);
    const fence = yield* this.#code.startLine(c);
    if (fence) {
      if (!thought && (yield* this.#callsInFence(from, fence, startsAnswer))) return "ended";
      this.#code.openFence(fence);
      return "none";
    }
    return this.#code.isInside || thought ? "none" : yield* this.#opener("line");
  }

  *#callsInFence(from: number, fence: FenceLine, startsAnswer: boolean): Parse<boolean> {
    const c = this.#c;
    if (this.#tools.isEmpty || !this.#whole.mayHoldCalls(fence, startsAnswer)) return false;
    const back = c.pos;
    const batch = yield* this.#whole.readFence(c, fence, startsAnswer);
    if (batch && this.#mayRunWhole()) {
      this.outlet.call(from, this.source.length, false, batch);
      return true;
    }
    c.pos = back;
    return false;
  }

  *#endThought({ closers, before }: ThoughtEnd): Parse<boolean> {
    const c = this.#c;
    const at = c.pos;
    if (!(yield* takeAnyMark(c, closers))) {
      if (!(yield* takeAnyMark(c, before))) return false;
      c.pos = at;
    }
    this.outlet.endThought(at, c.pos);
    this.#code = new CodeRegions();
    return true;
  }

  /** What a mark at the cursor does. "none": there is none; the cursor has not moved. */
  *#opener(place: "line" | "text" | "thought"): Parse<Step> {
    const c = this.#c;
    const at = c.pos;
    const first = this.#openers.at(c.source, at, place);
    const found = first === "open" ? yield* this.#openers.find(c, place) : first;
    if (!found) return "none";
    const { opener, end } = found;
    switch (opener.kind) {
      case "call":
        return yield* this.#call(at, end, opener);
      case "closer":
        return yield* this.#loneCloser(at, end, opener.isCertain);
      case "harmony":
        return yield* this.#harmony(at);
      case "k3":
        return yield* this.#k3(at, found);
      case "frame":
        return this.#leaveOut(at, end);
      case "end":
        return yield* this.#endToken(at, end, opener.mark);
      case "think":
      case "wrapper":
        return "none";
    }
  }

  *#call(at: number, end: number, opener: CallOpener): Parse<Step> {
    const c = this.#c;
    const batch = new Batch(this.#tools);
    c.pos = opener.includesMark ? at : end;
    yield* opener.read(c, batch);
    return yield* this.#take(at, batch, opener.strength !== "hard");
  }

  /** Takes the calls that were read from `at` to the cursor; without any, it is text, and nothing in it is looked at again. */
  *#take(at: number, batch: Batch, isSoft: boolean): Parse<Step> {
    const c = this.#c;
    c.pos = Math.max(c.pos, batch.end ?? at + 1);
    if (batch.end === undefined || batch.calls.length === 0) return "text";
    this.outlet.call(at, batch.end, isSoft, batch);
    yield* c.skipSpace();
    if (Number.isNaN(yield* c.peek())) this.outlet.hide(c.pos);
    return "line";
  }

  #leaveOut(at: number, end: number): Step {
    this.outlet.show(at);
    this.outlet.hide(end);
    this.#c.pos = end;
    return "line";
  }

  /** A closer whose opener was in the prompt. Prose that speaks about the tags writes them inside a line. */
  *#loneCloser(at: number, end: number, isCertain: boolean): Parse<Step> {
    const c = this.#c;
    c.pos = end;
    yield* c.skipBlanks();
    const next = yield* c.peek();
    const endsLine = Number.isNaN(next) || next === 10 || next === 13;
    const counts = isCertain || endsLine || c.source.code(end) === 60 || this.#startsLine(at);
    c.pos = counts ? end : at;
    if (!counts) return "none";
    this.outlet.endLoneThought(at, end);
    return "restart";
  }

  #startsLine(at: number): boolean {
    let before = at - 1;
    while (before >= 0 && (this.source.code(before) === 32 || this.source.code(before) === 9)) before -= 1;
    return before < 0 || this.source.code(before) === 10;
  }

  *#endToken(at: number, end: number, mark: string): Parse<Step> {
    const c = this.#c;
    if (this.#isHarmony && HARMONY_ENDS.includes(mark)) return this.#leaveOut(at, end);
    if (WRAPPER_ENDS.includes(mark) && !this.#hasWrapper) return "none";
    c.pos = end;
    yield* this.#whole.skipEnds(c);
    if (Number.isNaN(yield* c.peek())) return this.#leaveOut(at, c.pos);
    c.pos = at;
    return "none";
  }

  *#harmony(at: number): Parse<Step> {
    const c = this.#c;
    const head = yield* readHarmonyHead(c);
    if (!head) {
      c.pos = Math.max(c.pos, at + 1);
      return "text";
    }
    if (head.recipient !== undefined) {
      const batch = new Batch(this.#tools);
      yield* readHarmonyCall(c, batch, head.recipient);
      this.#isHarmony ||= batch.calls.length > 0;
      return yield* this.#take(at, batch, false);
    }
    this.#isHarmony = true;
    this.#leaveOut(at, c.pos);
    if (head.channel !== "analysis") return "line";
    this.outlet.beginThought(c.pos);
    yield* this.#prose(HARMONY_THOUGHT);
    return "line";
  }

  /** Elements of Kimi K3: its text is in one, its calls in another. */
  *#k3(at: number, { opener, end }: FoundOpener): Parse<Step> {
    const c = this.#c;
    c.pos = end;
    const head = yield* readHead(c);
    if (head === "tools" && opener.mark === "<|open|>" && !this.#tools.isEmpty) {
      const batch = new Batch(this.#tools);
      yield* readK3Calls(c, batch);
      return yield* this.#take(at, batch, false);
    }
    if (head !== undefined && K3_FRAMES.has(head)) return this.#leaveOut(at, c.pos);
    c.pos = at;
    return "none";
  }

  /** The words of the gpt-oss format when a server dropped its tokens: `analysis…assistantfinal…`. */
  *#strippedHarmony(): Parse<boolean> {
    const c = this.#c;
    const from = c.pos;
    const batch = new Batch(this.#tools);
    const found = yield* readStrippedHarmony(c, batch);
    if (!found) {
      c.pos = from;
      return false;
    }
    if (found.thoughtFrom !== undefined) {
      this.outlet.beginThought(found.thoughtFrom);
      this.outlet.endThought(found.thoughtTo, found.textFrom);
    }
    if (batch.calls.length > 0) yield* this.#take(found.textFrom, batch, false);
    return true;
  }
}
