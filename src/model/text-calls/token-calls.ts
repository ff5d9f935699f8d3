import type { Cursor, Parse } from "./cursor.ts";
import { LENIENT, readObject } from "./json-value.ts";
import { matchMark } from "./marks.ts";
import { readPythonCalls } from "./python-calls.ts";
import { readList } from "./section.ts";
import { readTagCall } from "./tag-calls.ts";
import type { Batch } from "./written-calls.ts";

const CALL_BEGIN = "<|tool_call_begin|>";
const CALL_END = "<|tool_call_end|>";
const SECTION_ENDS = ["<|tool_calls_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>"];
const SEPARATOR = "<|tool_sep|>";
const ARGUMENTS = "<|tool_call_argument_begin|>";
const LONGEST_NAME = 200;

/** Steps over a mark when the text has it, in any of its spellings. */
export function* takeMark(c: Cursor, mark: string): Parse<boolean> {
  for (;;) {
    const end = matchMark(c.source, c.pos, mark);
    if (end === undefined) return false;
    if (end !== "open") {
      c.pos = end;
      return true;
    }
    yield;
  }
}

export function* takeAnyMark(c: Cursor, marks: readonly string[]): Parse<boolean> {
  for (const mark of marks) if (yield* takeMark(c, mark)) return true;
  return false;
}

/** DeepSeek, Kimi and Step: calls between tokens with bars. The cursor stands behind the first token. */
export function* readTokenCalls(c: Cursor, batch: Batch): Parse<boolean> {
  let count = 0;
  do {
    yield* c.skipSpace();
    yield* takeMark(c, CALL_BEGIN);
    if (!(yield* readTokenCall(c, batch))) return count > 0;
    count += 1;
    batch.end = c.pos;
    yield* c.skipSpace();
    if (yield* takeMark(c, CALL_END)) batch.end = c.pos;
    yield* c.skipSpace();
  } while ((yield* c.peekChar()) === "<" && (yield* seesMark(c, CALL_BEGIN)));
  if (yield* takeAnyMark(c, SECTION_ENDS)) batch.end = c.pos;
  return true;
}

function* seesMark(c: Cursor, mark: string): Parse<boolean> {
  const back = c.pos;
  const isThere = yield* takeMark(c, mark);
  c.pos = back;
  return isThere;
}

function* readTokenCall(c: Cursor, batch: Batch): Parse<boolean> {
  const head = (yield* c.word(/[^<\n]/, LONGEST_NAME)).trim();
  if (yield* takeMark(c, ARGUMENTS)) return yield* readKimiArguments(c, batch, head);
  if (!(yield* takeMark(c, SEPARATOR))) return false;
  yield* c.skipSpace();
  const first = yield* c.peekChar();
  if (first === "<") return yield* readTagCall(c, batch);
  if (first === "{") return yield* readPlainObject(c, batch, head);
  const name = yield* c.word(/[^\n<`{]/, LONGEST_NAME);
  yield* c.skipSpace();
  const isFenced = yield* c.take("```");
  if (isFenced) yield* c.word(/\w/, 20);
  yield* c.skipSpace();
  if (!(yield* readPlainObject(c, batch, name))) return false;
  if (!isFenced) return true;
  const end = c.pos;
  yield* c.skipSpace();
  if (!(yield* c.take("```"))) c.pos = end;
  return true;
}

/** The name is at the same time the id, and goes back as it was written. */
export function* readKimiArguments(c: Cursor, batch: Batch, head: string): Parse<boolean> {
  yield* c.skipSpace();
  const id = /:\d+$/.test(head) ? head : undefined;
  if (yield* seesMark(c, CALL_END)) {
    batch.add(head, {}, id);
    return true;
  }
  return yield* readPlainObject(c, batch, head, id);
}

export function* readKimiRest(c: Cursor, batch: Batch, head: string): Parse<boolean> {
  if (!(yield* takeMark(c, ARGUMENTS))) return false;
  if (!(yield* readKimiArguments(c, batch, head))) return false;
  batch.end = c.pos;
  yield* c.skipSpace();
  if (yield* takeMark(c, CALL_END)) batch.end = c.pos;
  yield* c.skipSpace();
  if (yield* takeAnyMark(c, SECTION_ENDS)) batch.end = c.pos;
  return true;
}

function* readPlainObject(c: Cursor, batch: Batch, name: string, id?: string): Parse<boolean> {
  const found = yield* readObject(c, LENIENT);
  if (!found) return false;
  batch.add(name, found.value, id);
  return true;
}

/** Mistral, behind `[TOOL_CALLS]`: a list, or a name with its arguments. */
export function* readMistral(c: Cursor, batch: Batch): Parse<boolean> {
  yield* c.skipSpace();
  const first = yield* c.peekChar();
  if (first === "[" || first === "{") return yield* readList(c, batch);
  const name = yield* c.word(/[\w.:/-]/, LONGEST_NAME);
  if (name === "") return false;
  let id: string | undefined;
  if (yield* c.take("[CALL_ID]")) id = (yield* c.word(/\w/, 40)).trim();
  yield* c.take("[ARGS]");
  yield* c.skipSpace();
  if (!(yield* readPlainObject(c, batch, name, id))) return false;
  batch.end = c.pos;
  return true;
}

/** Llama, behind `<|python_tag|>`: JSON objects, or `N.call(…)`. */
export function* readPrompted(c: Cursor, batch: Batch): Parse<boolean> {
  yield* c.skipSpace();
  const first = yield* c.peekChar();
  const isJson = first === "{" || first === "[";
  return yield* isJson ? readList(c, batch) : readPythonCalls(c, batch);
}

/** Functionary: a name, and an object on the next line. */
export function* readNamedObject(c: Cursor, batch: Batch): Parse<boolean> {
  const name = yield* c.word(/[\w.-]/, LONGEST_NAME);
  if (name === "" || !(yield* c.take("\n"))) return false;
  if (!(yield* readPlainObject(c, batch, name))) return false;
  batch.end = c.pos;
  return true;
}

/** A list between a token, which was read, and its closer, which may be missing. */
export function listBetween(...closers: string[]): (c: Cursor, batch: Batch) => Parse<boolean> {
  return function* read(c, batch) {
    yield* c.skipSpace();
    if (!(yield* readList(c, batch))) return false;
    return yield* closed(c, batch, closers);
  };
}

export function* closed(c: Cursor, batch: Batch, closers: readonly string[]): Parse<boolean> {
  const back = c.pos;
  yield* c.skipSpace();
  if (yield* takeAnyMark(c, closers)) batch.end = c.pos;
  else c.pos = back;
  return true;
}
