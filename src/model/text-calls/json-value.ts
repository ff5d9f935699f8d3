import { isRecord } from "../../util/json.ts";
import { Cursor, type Parse, Source } from "./cursor.ts";

/** How far a text may be from JSON. */
export type JsonDialect = {
  /** Trailing commas, Python literals and quotes, raw control characters and unknown escapes in strings. */
  isLenient: boolean;
  /** Keys without quotes, and marks that enclose a string in place of quotes. */
  bareKeys: boolean;
  quotes: readonly string[];
};
export const STRICT: JsonDialect = { isLenient: false, bareKeys: false, quotes: [] };
export const LENIENT: JsonDialect = { isLenient: true, bareKeys: false, quotes: [] };

/** In a box, as any value, also undefined-like ones, may be in the text. */
type Boxed = { value: unknown };

/** `isOpen`: the last brace is missing although the last member is a whole object. */
export type ObjectFound = { value: Record<string, unknown>; isOpen: boolean };

const DEEPEST = 100;
const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
  "/": "/",
};
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const PYTHON_WORDS: Readonly<Record<string, unknown>> = { ...WORDS, True: true, False: false, None: null };
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Reads one value at the cursor. Undefined when the text is not such a value; the cursor then stands where it stopped being
 * one, at the end of the answer when the text was cut off.
 */
export function* readValue(c: Cursor, dialect: JsonDialect, depth = 0): Parse<Boxed | undefined> {
  if (depth > DEEPEST) return undefined;
  yield* c.skipSpace();
  for (const mark of dialect.quotes) if (yield* c.take(mark)) return yield* markedString(c, mark);
  const first = yield* c.peekChar();
  if (first === "{") {
    const found = yield* readObject(c, dialect, depth);
    return found && !found.isOpen ? { value: found.value } : undefined;
  }
  if (first === "[") return yield* readList(c, dialect, depth);
  if (first === '"' || (first === "'" && dialect.isLenient)) return yield* readString(c, dialect);
  return yield* readWord(c, dialect);
}

/** Reads an object. `mayStayOpen`: a missing last brace is accepted after a member that is an object itself. */
export function* readObject(
  c: Cursor,
  dialect: JsonDialect,
  depth = 0,
  mayStayOpen = false,
): Parse<ObjectFound | undefined> {
  if (!(yield* c.take("{"))) return undefined;
  const entries: [string, unknown][] = [];
  const found = (isOpen: boolean): ObjectFound => ({ value: Object.fromEntries(entries), isOpen });
  for (;;) {
    yield* c.skipSpace();
    if ((entries.length === 0 || dialect.isLenient) && (yield* c.take("}"))) return found(false);
    const key = yield* readKey(c, dialect);
    if (key === undefined) return undefined;
    yield* c.skipSpace();
    if (!(yield* c.take(":"))) return undefined;
    const member = yield* readValue(c, dialect, depth + 1);
    if (!member) return undefined;
    entries.push([key, member.value]);
    const end = c.pos;
    yield* c.skipSpace();
    if (yield* c.take("}")) return found(false);
    if (yield* c.take(",")) continue;
    if (!mayStayOpen || !isRecord(member.value)) return undefined;
    c.pos = end;
    return found(true);
  }
}

function* readKey(c: Cursor, dialect: JsonDialect): Parse<string | undefined> {
  if (dialect.bareKeys) {
    const key = yield* c.word(/[\w$.-]/, 200);
    if (key !== "") return key;
  }
  const first = yield* c.peekChar();
  if (first !== '"' && !(first === "'" && dialect.isLenient)) return undefined;
  return (yield* readString(c, dialect))?.value;
}

function* readList(c: Cursor, dialect: JsonDialect, depth: number): Parse<Boxed | undefined> {
  c.pos += 1;
  const value: unknown[] = [];
  for (;;) {
    yield* c.skipSpace();
    if ((value.length === 0 || dialect.isLenient) && (yield* c.take("]"))) return { value };
    const member = yield* readValue(c, dialect, depth + 1);
    if (!member) return undefined;
    value.push(member.value);
    yield* c.skipSpace();
    if (yield* c.take("]")) return { value };
    if (!(yield* c.take(","))) return undefined;
  }
}

function* readString(c: Cursor, dialect: JsonDialect): Parse<{ value: string } | undefined> {
  const quote = yield* c.peek();
  c.pos += 1;
  let value = "";
  for (;;) {
    const from = c.pos;
    const found = dialect.isLenient ? yield* c.seek(quote, 92) : yield* seekStrict(c, quote);
    value += c.source.slice(from, c.pos);
    if (!found) return undefined;
    const code = c.source.code(c.pos);
    c.pos += 1;
    if (code === quote) return { value };
    const escaped = yield* readEscape(c, dialect);
    if (escaped === undefined) return undefined;
    value += escaped;
  }
}

/** Stops at the quote, a backslash, or a control character, which ends what can be a strict string. */
function* seekStrict(c: Cursor, quote: number): Parse<boolean> {
  for (;;) {
    const code = yield* c.peek();
    if (Number.isNaN(code) || code < 32) return false;
    if (code === quote || code === 92) return true;
    c.pos += 1;
  }
}

function* readEscape(c: Cursor, dialect: JsonDialect): Parse<string | undefined> {
  const char = yield* c.peekChar();
  if (char === "") return undefined;
  const known = Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
  if (known !== undefined) {
    c.pos += 1;
    return known;
  }
  if (char === "u") {
    c.pos += 1;
    const digits = yield* c.word(/[0-9a-fA-F]/, 4);
    if (digits.length === 4) return String.fromCharCode(Number.parseInt(digits, 16));
    return dialect.isLenient && !Number.isNaN(yield* c.peek()) ? `\\u${digits}` : undefined;
  }
  if (!dialect.isLenient) return undefined;
  c.pos += 1;
  if (char === "'") return char;
  if (char === "\n") return "";
  return `\\${char}`;
}

function* markedString(c: Cursor, mark: string): Parse<Boxed | undefined> {
  const from = c.pos;
  while (yield* c.seek(mark.charCodeAt(0))) {
    const to = c.pos;
    if (yield* c.take(mark)) return { value: c.source.slice(from, to) };
    c.pos += 1;
  }
  return undefined;
}

function* readWord(c: Cursor, dialect: JsonDialect): Parse<Boxed | undefined> {
  const from = c.pos;
  const word = yield* c.word(/[\w+.-]/, 400);
  const words = dialect.isLenient ? PYTHON_WORDS : WORDS;
  if (Object.hasOwn(words, word)) return { value: words[word] };
  if (NUMBER.test(word)) return { value: Number(word) };
  c.pos = from;
  return undefined;
}

/** Reads a text that is there as a whole, and holds nothing but the value. */
export function parseValue(text: string, dialect: JsonDialect): Boxed | undefined {
  const source = new Source();
  source.append(text);
  source.hasEnded = true;
  const c = new Cursor(source);
  const found = readValue(c, dialect).next();
  if (!found.done || !found.value) return undefined;
  return c.isSpaceBetween(c.pos, text.length) ? found.value : undefined;
}
