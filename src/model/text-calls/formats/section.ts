import type { Cursor, Parse } from "../cursor.ts";
import { Batch } from "../written-calls.ts";
import { readJsonCalls } from "./json-calls.ts";
import { readPythonCalls } from "./python-calls.ts";
import { readKeyedCall, readTagCall } from "./tag-calls.ts";
import { peekTag } from "./tags.ts";

/** `<tool_calls><tool_call>`, and one that was written twice. */
const MOST_OPENERS = 3;
const NAME = /[\w.:/-]/;

/**
 * The calls between tags, whatever the tags are named: JSON, tagged parameters, keys and values, or Python calls. The
 * cursor stands before the first tag. Closing tags may be missing, foreign or doubled once a call is whole.
 */
export function* readSection(c: Cursor, batch: Batch): Parse<boolean> {
  let depth = 0;
  let count = 0;
  for (;;) {
    yield* c.skipSpace();
    const tag = yield* peekTag(c);
    if (tag?.role === "section" && tag.isClosing) {
      if (count === 0) return false;
      c.pos = tag.end;
      batch.end = c.pos;
      depth -= 1;
      continue;
    }
    if (count > 0 && depth <= 0) return true;
    if (tag?.role === "section") {
      if (count === 0 && depth === MOST_OPENERS) return false;
      depth += 1;
      c.pos = tag.end;
      continue;
    }
    if (!(yield* readElement(c, batch, depth > 0))) return count > 0;
    count += 1;
  }
}

function* readElement(c: Cursor, batch: Batch, isInside: boolean): Parse<boolean> {
  const first = yield* c.peekChar();
  if (first === "<") {
    if (!(yield* readTagCall(c, batch))) return false;
    batch.end = c.pos;
    return true;
  }
  if (!isInside) return false;
  if (first === "{" || first === "[") return yield* readList(c, batch);
  if (first === "`") return yield* readFenced(c, batch);
  return yield* readNamed(c, batch);
}

/** A list of JSON objects or of Python calls. */
export function* readList(c: Cursor, batch: Batch): Parse<boolean> {
  const back = c.pos;
  if (yield* c.take("[")) {
    yield* c.skipSpace();
    const isPython = /[A-Za-z_]/.test(yield* c.peekChar());
    c.pos = back;
    if (isPython) return yield* readPythonCalls(c, batch);
  }
  return yield* readJsonCalls(c, batch);
}

/** JSON in a fence. It must be followed by the end of the section, as else it may be the example of a text. */
function* readFenced(c: Cursor, batch: Batch): Parse<boolean> {
  const back = c.pos;
  const inner = new Batch(batch.tools);
  if (yield* readFencedJson(c, inner)) {
    const end = c.pos;
    yield* c.skipSpace();
    const tag = yield* peekTag(c);
    if (tag?.role === "section" && tag.isClosing) {
      batch.calls.push(...inner.calls);
      batch.refused.push(...inner.refused);
      batch.end = end;
      return true;
    }
  }
  c.pos = back;
  return false;
}

function* readFencedJson(c: Cursor, batch: Batch): Parse<boolean> {
  if (!(yield* c.take("```"))) return false;
  yield* c.word(/\w/, 20);
  yield* c.skipSpace();
  if (!(yield* readJsonCalls(c, batch))) return false;
  yield* c.skipSpace();
  return yield* c.take("```");
}

/** A name, and then Python arguments, keys and values, or nothing. */
function* readNamed(c: Cursor, batch: Batch): Parse<boolean> {
  const back = c.pos;
  const name = yield* c.word(NAME, 128);
  if (name === "") return false;
  const next = yield* c.peekChar();
  if (next === "(") {
    c.pos = back;
    return yield* readPythonCalls(c, batch);
  }
  yield* c.skipSpace();
  const behind = yield* c.peekChar();
  if (behind !== "<" && behind !== ">" && behind !== "{") return false;
  const tag = yield* peekTag(c);
  const fits = tag?.role === "key" || tag?.role === "separator" || tag?.role === "section";
  if (behind === "<" && !fits) return false;
  if (!(yield* readKeyedCall(c, batch, name))) return false;
  batch.end = c.pos;
  return true;
}
