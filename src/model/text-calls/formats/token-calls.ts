import type { Cursor, Parse } from "../cursor.ts";
import { takeAnyMark, takeMark } from "../marks.ts";
import type { Batch } from "../written-calls.ts";
import { readArguments } from "./json-calls.ts";
import { readTagCall } from "./tag-calls.ts";

const CALL_BEGIN = "<|tool_call_begin|>";
const CALL_END = "<|tool_call_end|>";
const SECTION_ENDS = ["<|tool_calls_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>"];
const SEPARATOR = "<|tool_sep|>";
const ARGUMENTS = "<|tool_call_argument_begin|>";
const LONGEST_NAME = 200;

/** DeepSeek, Kimi and Step: calls between tokens with bars. The cursor is after the first token. */
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
  if (first === "{") return yield* readArguments(c, batch, head);
  const name = yield* c.word(/[^\n<`{]/, LONGEST_NAME);
  yield* c.skipSpace();
  const isFenced = yield* c.take("```");
  if (isFenced) yield* c.word(/\w/, 20);
  yield* c.skipSpace();
  if (!(yield* readArguments(c, batch, name))) return false;
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
  return yield* readArguments(c, batch, head, id);
}

/** The rest of a Kimi call whose first tokens are missing, from the token before its arguments on. */
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
