import type { Cursor, Parse } from "../cursor.ts";
import { takeAnyMark } from "../marks.ts";
import type { Batch } from "../written-calls.ts";
import { readArguments } from "./json-calls.ts";
import { readPythonCalls } from "./python-calls.ts";
import { readList } from "./section.ts";

const LONGEST_NAME = 200;

/** Mistral, after `[TOOL_CALLS]`: a list, or a name with its arguments. */
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
  if (!(yield* readArguments(c, batch, name, id))) return false;
  batch.end = c.pos;
  return true;
}

/** Llama, after `<|python_tag|>`: JSON objects, or `N.call(…)`. */
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
  if (!(yield* readArguments(c, batch, name))) return false;
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

/** Steps over a closer, when one follows. Always true, so that a reader can end with it. */
export function* closed(c: Cursor, batch: Batch, closers: readonly string[]): Parse<boolean> {
  const back = c.pos;
  yield* c.skipSpace();
  if (yield* takeAnyMark(c, closers)) batch.end = c.pos;
  else c.pos = back;
  return true;
}
