import type { Cursor, Parse } from "../cursor.ts";
import { type JsonDialect, readObject } from "../json-value.ts";
import { takeMark } from "../marks.ts";
import type { Batch } from "../written-calls.ts";

/** Keys stand bare, and strings between marks of their own. */
const DIALECT: JsonDialect = { isLenient: true, bareKeys: true, quotes: ['<|"|>', "<escape>"] };
const CLOSERS = ["<tool_call|>", "<end_function_call>"];

/** Gemma 4 and FunctionGemma, after the opener: `call:N{key:value}` and closers, none or more. */
export function* readGemma(c: Cursor, batch: Batch): Parse<boolean> {
  yield* c.skipSpace();
  if (!(yield* c.take("call:"))) return false;
  const name = yield* c.word(/[\w.:/-]/, 128);
  const found = name === "" ? undefined : yield* readObject(c, DIALECT);
  if (!found) return false;
  batch.add(name, found.value);
  batch.end = c.pos;
  for (let count = 0; count < 2; count++) {
    yield* c.skipSpace();
    for (const closer of CLOSERS) if (yield* takeMark(c, closer)) batch.end = c.pos;
  }
  return true;
}
