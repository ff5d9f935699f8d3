import { isRecord, type Json } from "../../../util/json.ts";
import type { Cursor, Parse } from "../cursor.ts";
import { LENIENT, parseValue } from "../json-value.ts";
import { takeMark } from "../marks.ts";
import type { Batch } from "../written-calls.ts";

const OPEN = "<|open|>";
const CLOSE = "<|close|>";
const SEPARATOR = "<|sep|>";
const LONGEST_HEAD = 300;

/** What stands between `<|open|>` or `<|close|>` and `<|sep|>`; undefined when there is no such end. */
export function* readHead(c: Cursor): Parse<string | undefined> {
  const head = yield* c.word(/[^<\n]/, LONGEST_HEAD);
  return (yield* takeMark(c, SEPARATOR)) ? head.trim() : undefined;
}

/** Kimi K3, after the head of the element `tools`. */
export function* readK3Calls(c: Cursor, batch: Batch): Parse<boolean> {
  let count = 0;
  for (;;) {
    yield* c.skipSpace();
    if (yield* takeMark(c, CLOSE)) {
      if (count === 0 || (yield* readHead(c)) !== "tools") return count > 0;
      batch.end = c.pos;
      return true;
    }
    if (!(yield* takeMark(c, OPEN))) return count > 0;
    const head = yield* readHead(c);
    const name = head?.startsWith("call ") ? attribute(head, "tool") : undefined;
    const args = name === undefined ? undefined : yield* readArguments(c);
    if (name === undefined || !args) return count > 0;
    batch.add(name, args);
    batch.end = c.pos;
    count += 1;
  }
}

function* readArguments(c: Cursor): Parse<Json | undefined> {
  const entries: [string, unknown][] = [];
  for (;;) {
    yield* c.skipSpace();
    if (yield* takeMark(c, CLOSE))
      return (yield* readHead(c)) === "call" ? Object.fromEntries(entries) : undefined;
    const head = (yield* takeMark(c, OPEN)) ? yield* readHead(c) : undefined;
    const element = head?.split(" ")[0];
    if (head === undefined || (element !== "argument" && element !== "json")) return undefined;
    const text = yield* readRaw(c, element);
    const found = text === undefined ? undefined : entriesOf(head, text);
    if (!found) return undefined;
    entries.push(...found);
  }
}

/** An argument of its own, or all of them in one object. */
function entriesOf(head: string, text: string): [string, unknown][] | undefined {
  const value = attribute(head, "type") === "string" ? text : parseValue(text, LENIENT)?.value;
  if (head.startsWith("json")) return isRecord(value) ? Object.entries(value) : undefined;
  const key = attribute(head, "key");
  return key === undefined || value === undefined ? undefined : [[key, value]];
}

function* readRaw(c: Cursor, element: string): Parse<string | undefined> {
  const from = c.pos;
  while (yield* c.seek(60)) {
    const to = c.pos;
    if ((yield* takeMark(c, CLOSE)) && (yield* readHead(c)) === element) return c.source.slice(from, to);
    c.pos = to + 1;
  }
  return undefined;
}

function attribute(head: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(head) ?? [];
  return value?.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
