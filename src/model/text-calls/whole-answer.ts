import type { FenceLine } from "./code-regions.ts";
import { run } from "./code-regions.ts";
import type { Cursor, Parse } from "./cursor.ts";
import { readPythonCalls } from "./formats/python-calls.ts";
import { readKimiRest } from "./formats/token-calls.ts";
import { parseValue, readValue, STRICT } from "./json-value.ts";
import type { OfferedTools } from "./offered-tools.ts";
import type { Openers } from "./openers.ts";
import { Batch, bareCalls, isBareKey, isBareNameKey } from "./written-calls.ts";

const CALL_INFOS = new Set(["tool_code", "tool_call", "tool_calls", "function_call"]);
const NAME = /[\w.-]/;

/** Forms that count only when nothing else is in the answer, or in a fence that ends it. */
export class WholeAnswer {
  readonly #tools: OfferedTools;
  readonly #openers: Openers;

  constructor(tools: OfferedTools, openers: Openers) {
    this.#tools = tools;
    this.#openers = openers;
  }

  /** JSON, a list of Python calls, or a name before JSON, up to the end of the answer. */
  *read(c: Cursor): Parse<Batch | undefined> {
    const first = yield* c.peekChar();
    if (first === "{") return yield* this.#toEnd(c, this.#objects(c));
    if (first === "[") return yield* this.#toEnd(c, this.#list(c));
    if (/[A-Za-z_]/.test(first)) return yield* this.#toEnd(c, this.#named(c));
    return undefined;
  }

  mayHoldCalls(fence: FenceLine, startsAnswer: boolean): boolean {
    return startsAnswer || CALL_INFOS.has(fence.info);
  }

  /** The cursor is after the info string. */
  *readFence(c: Cursor, fence: FenceLine, startsAnswer: boolean): Parse<Batch | undefined> {
    yield* c.skipSpace();
    const first = yield* c.peekChar();
    const allowsPython = CALL_INFOS.has(fence.info);
    const batch = yield* this.#fenced(c, first, allowsPython, startsAnswer);
    if (!batch || batch.calls.length === 0 || batch.refused.length > 0) return undefined;
    yield* c.skipSpace();
    const length = yield* run(c, fence.char);
    if (length > 0 && length < fence.length) return undefined;
    yield* this.skipEnds(c);
    return Number.isNaN(yield* c.peek()) ? batch : undefined;
  }

  /** Steps over white space and the tokens that end an answer. */
  *skipEnds(c: Cursor): Parse<void> {
    for (;;) {
      yield* c.skipSpace();
      const found = yield* this.#openers.find(c, "text");
      if (found?.opener.kind !== "end" && found?.opener.kind !== "frame") return;
      c.pos = found.end;
    }
  }

  *#toEnd(c: Cursor, reading: Parse<Batch | undefined>): Parse<Batch | undefined> {
    const batch = yield* reading;
    if (!batch || batch.calls.length === 0 || batch.refused.length > 0) return undefined;
    yield* this.skipEnds(c);
    return Number.isNaN(yield* c.peek()) ? batch : undefined;
  }

  *#fenced(c: Cursor, first: string, allowsPython: boolean, startsAnswer: boolean): Parse<Batch | undefined> {
    if (first === "{") return yield* this.#objects(c);
    if (first === "[") return yield* this.#list(c);
    if (allowsPython && /[A-Za-z_]/.test(first)) return yield* this.#python(c);
    if (!allowsPython && !startsAnswer) return undefined;
    return yield* this.#marked(c);
  }

  /** Objects one after the other, as some models write several calls. */
  *#objects(c: Cursor): Parse<Batch | undefined> {
    const batch = new Batch(this.#tools);
    for (;;) {
      if (!(yield* this.#mayBeCall(c))) return undefined;
      const found = yield* readValue(c, STRICT);
      const calls = found ? bareCalls(found.value, this.#tools) : undefined;
      if (!calls) return undefined;
      batch.calls.push(...calls);
      yield* c.skipSpace();
      if (yield* c.take(";")) yield* c.skipSpace();
      if ((yield* c.peekChar()) !== "{") return batch;
    }
  }

  /** Looks at the first key, and at the name when it comes first, so that other JSON is shown without delay. */
  *#mayBeCall(c: Cursor): Parse<boolean> {
    const back = c.pos;
    c.pos += 1;
    yield* c.skipSpace();
    const key = yield* this.#string(c);
    yield* c.skipSpace();
    let isPossible = key !== undefined && isBareKey(key) && (yield* c.take(":"));
    if (isPossible && key !== undefined && isBareNameKey(key)) {
      yield* c.skipSpace();
      const name = yield* this.#string(c);
      isPossible = name !== undefined && this.#tools.find(name) !== undefined;
    }
    c.pos = back;
    return isPossible;
  }

  /** A short string without escapes. */
  *#string(c: Cursor): Parse<string | undefined> {
    if (!(yield* c.take('"'))) return undefined;
    const text = yield* c.word(/[^"\\\n]/, 128);
    return (yield* c.take('"')) ? text : undefined;
  }

  *#list(c: Cursor): Parse<Batch | undefined> {
    const back = c.pos;
    c.pos += 1;
    yield* c.skipSpace();
    const first = yield* c.peekChar();
    if (first === "{") {
      if (!(yield* this.#mayBeCall(c))) return undefined;
      c.pos = back;
      const found = yield* readValue(c, STRICT);
      const calls = found ? bareCalls(found.value, this.#tools) : undefined;
      const batch = new Batch(this.#tools);
      batch.calls.push(...(calls ?? []));
      return batch;
    }
    const name = yield* c.word(NAME, 128);
    const isCall = (yield* c.take("(")) && this.#tools.find(name) !== undefined;
    c.pos = back;
    return isCall ? yield* this.#python(c) : undefined;
  }

  *#python(c: Cursor): Parse<Batch | undefined> {
    const batch = new Batch(this.#tools);
    return (yield* readPythonCalls(c, batch)) ? batch : undefined;
  }

  *#marked(c: Cursor): Parse<Batch | undefined> {
    const batch = new Batch(this.#tools);
    for (;;) {
      const found = yield* this.#openers.find(c, "start");
      if (found?.opener.kind !== "call") return batch;
      if (!found.opener.includesMark) c.pos = found.end;
      batch.end = undefined;
      if (!(yield* found.opener.read(c, batch)) || batch.end === undefined) return undefined;
      yield* c.skipSpace();
    }
  }

  /** `NAME` and JSON on the next line, again after `>>>`; or a Kimi call that lost its first tokens. */
  *#named(c: Cursor): Parse<Batch | undefined> {
    const batch = new Batch(this.#tools);
    for (;;) {
      const name = yield* this.#knownName(c);
      if (name === undefined) return undefined;
      if ((yield* c.peekChar()) === "<") return (yield* readKimiRest(c, batch, name)) ? batch : undefined;
      if (!(yield* c.take("\n")) || (yield* c.peekChar()) !== "{") return undefined;
      const from = c.pos;
      if (!(yield* readValue(c, STRICT))) return undefined;
      const args = parseValue(c.source.slice(from, c.pos), STRICT)?.value;
      batch.addObject({ name, arguments: args });
      yield* c.skipSpace();
      if (!(yield* c.take(">>>"))) return batch;
    }
  }

  /** Reads on only while the letters can still become the name of a tool. */
  *#knownName(c: Cursor): Parse<string | undefined> {
    const prefix = (yield* c.take("functions.")) ? "functions." : "";
    let name = "";
    for (let char = yield* c.peekChar(); NAME.test(char); char = yield* c.peekChar()) {
      name += char;
      if (!this.#tools.hasNameWith(name)) return undefined;
      c.pos += 1;
    }
    const index = (yield* c.take(":")) ? `:${yield* c.word(/\d/, 9)}` : "";
    return this.#tools.find(name) ? prefix + name + index : undefined;
  }
}
