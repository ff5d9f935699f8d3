import type { Cursor, Parse } from "../cursor.ts";
import { LENIENT, readObject } from "../json-value.ts";
import { takeAnyMark, takeMark } from "../marks.ts";
import type { Batch } from "../written-calls.ts";

/** What a message of the gpt-oss format is. */
export type HarmonyHead = { channel: string; recipient: string | undefined };

export const HARMONY_ENDS = ["<|end|>", "<|call|>", "<|return|>"];
const MESSAGE = "<|message|>";
const HEAD_MARKS = ["<|channel|>", "<|constrain|>"];
const LONGEST_HEAD = 200;

/** Reads from `<|start|>` or `<|channel|>` to `<|message|>`; undefined when that is not what stands here. */
export function* readHarmonyHead(c: Cursor): Parse<HarmonyHead | undefined> {
  const from = c.pos;
  yield* takeMark(c, "<|start|>");
  while (c.pos - from < LONGEST_HEAD) {
    const to = c.pos;
    if (yield* takeMark(c, MESSAGE)) return headIn(c.source.slice(from, to));
    if (yield* takeAnyMark(c, HEAD_MARKS)) continue;
    const code = yield* c.peek();
    if (code === 10 || code === 60 || Number.isNaN(code)) return undefined;
    c.pos += 1;
  }
  return undefined;
}

function headIn(text: string): HarmonyHead | undefined {
  const [, role] = /<\|start\|>\s*(\w+)/.exec(text) ?? [];
  const [, channel] = /<\|channel\|>\s*(\w+)/.exec(text) ?? [];
  const [, recipient] = /\bto=([\w.:/-]+)/.exec(text) ?? [];
  if ((role !== undefined && role !== "assistant") || (channel === undefined && recipient === undefined))
    return undefined;
  return { channel: channel ?? "commentary", recipient };
}

/** The arguments of a call to `recipient`. The mark of their end may be missing. */
export function* readHarmonyCall(c: Cursor, batch: Batch, recipient: string): Parse<boolean> {
  yield* c.skipSpace();
  const found = yield* readObject(c, LENIENT);
  if (!found) return false;
  batch.add(recipient, found.value);
  batch.end = c.pos;
  yield* c.skipSpace();
  if (yield* takeAnyMark(c, HARMONY_ENDS)) batch.end = c.pos;
  return true;
}

type Stripped = { thoughtFrom: number | undefined; thoughtTo: number; textFrom: number };

/**
 * The words of the format in an answer whose tokens a server dropped: `analysis…assistantfinal…`, or a call after
 * `commentary` or `assistantcommentary`. Undefined when the answer is nothing of that kind.
 */
export function* readStrippedHarmony(c: Cursor, batch: Batch): Parse<Stripped | undefined> {
  const from = c.pos;
  if (yield* c.take("commentary")) {
    const isCall = (yield* readStrippedCall(c, batch)) && batch.calls.length > 0;
    return isCall ? { thoughtFrom: undefined, thoughtTo: from, textFrom: from } : undefined;
  }
  if (!(yield* c.take("analysis")) || !/[A-Za-z]/.test(yield* c.peekChar())) return undefined;
  const thoughtFrom = c.pos;
  while (yield* c.seek(97)) {
    const thoughtTo = c.pos;
    if (yield* c.take("assistantfinal")) return { thoughtFrom, thoughtTo, textFrom: c.pos };
    if (yield* c.take("assistantcommentary")) {
      const isCall = (yield* readStrippedCall(c, batch)) && batch.calls.length > 0;
      return isCall ? { thoughtFrom, thoughtTo, textFrom: thoughtTo } : undefined;
    }
    c.pos += 1;
  }
  return undefined;
}

/** ` to=N json{…}`, the rest of a head whose tokens are gone. */
function* readStrippedCall(c: Cursor, batch: Batch): Parse<boolean> {
  yield* c.skipBlanks();
  if (!(yield* c.take("to="))) return false;
  const recipient = yield* c.word(/[\w.:/-]/, 128);
  yield* c.skipSpace();
  if (!(yield* c.take("json"))) yield* c.take("code");
  if (recipient === "") return false;
  return yield* readHarmonyCall(c, batch, recipient);
}
