import type { Cursor, Parse } from "../cursor.ts";
import { LENIENT, parseValue, readObject } from "../json-value.ts";
import { declares, type OfferedTool, typedValue } from "../offered-tools.ts";
import type { Batch } from "../written-calls.ts";
import { peekTag, type Tag, type TagRole, takeTag } from "./tags.ts";

const TOOL_NAME = /^[\w.:/-]+$/;
const CDATA = /^<!\[CDATA\[(.*)\]\]>$/s;

/** `<function=N>` or `<invoke name="N">` with its parameters, or one JSON object in their place. */
export function* readTagCall(c: Cursor, batch: Batch): Parse<boolean> {
  const opener = yield* takeTag(c, "call", false);
  if (opener?.name === undefined || !TOOL_NAME.test(opener.name)) return false;
  const { name } = opener;
  yield* c.skipSpace();
  if ((yield* c.peekChar()) === "{") {
    const found = yield* readObject(c, LENIENT);
    if (!found) return false;
    return yield* finishJson(c, batch, name, found.value);
  }
  const tool = batch.tools.find(name);
  const entries: [string, unknown][] = [];
  for (;;) {
    yield* c.skipSpace();
    const tag = yield* peekTag(c);
    if (!tag || !endsOrContinues(tag)) return false;
    if (tag.role !== "parameter") {
      if (tag.role === "call" && tag.isClosing) c.pos = tag.end;
      batch.add(name, Object.fromEntries(entries));
      return true;
    }
    c.pos = tag.end;
    const given = new Set(entries.map(([key]) => key));
    const text = yield* readRawValue(c, PARAMETER, (key) => !given.has(key) && declares(tool, key));
    if (text === undefined || tag.name === undefined) return false;
    entries.push([tag.name, parameterValue(tool, tag, tag.name, text)]);
  }
}

/** The rest of a GLM call, after its name: keys and values in tags, or one JSON object. */
export function* readKeyedCall(c: Cursor, batch: Batch, name: string): Parse<boolean> {
  yield* c.take(">");
  yield* c.skipSpace();
  if ((yield* c.peekChar()) === "{") {
    const found = yield* readObject(c, LENIENT);
    if (!found) return false;
    batch.add(name, found.value);
    return true;
  }
  yield* takeTag(c, "separator", false);
  const tool = batch.tools.find(name);
  const entries: [string, unknown][] = [];
  for (;;) {
    yield* c.skipSpace();
    const tag = yield* peekTag(c);
    if (tag?.role === "section") {
      batch.add(name, Object.fromEntries(entries));
      return true;
    }
    const key = yield* readKey(c);
    if (key === undefined) return false;
    const given = new Set(entries.map(([known]) => known));
    const text = yield* readRawValue(c, ARGUMENT, (other) => !given.has(other) && declares(tool, other));
    if (text === undefined) return false;
    entries.push([key, typedValue(tool, key, trimLineBreaks(text))]);
  }
}

/** Reads `<arg_key>K</arg_key><arg_value>` and stops where the value begins. */
function* readKey(c: Cursor): Parse<string | undefined> {
  if (!(yield* takeTag(c, "key", false))) return undefined;
  const from = c.pos;
  if (!(yield* c.seek(60))) return undefined;
  const key = c.source.slice(from, c.pos).trim();
  if (!(yield* takeTag(c, "key", true))) return undefined;
  yield* c.skipSpace();
  return (yield* takeTag(c, "value", false)) ? key : undefined;
}

function* finishJson(c: Cursor, batch: Batch, name: string, args: Record<string, unknown>): Parse<boolean> {
  batch.add(name, args);
  const end = c.pos;
  yield* c.skipSpace();
  if (!(yield* takeTag(c, "call", true))) c.pos = end;
  return true;
}

function endsOrContinues({ role, isClosing }: Tag): boolean {
  return role === "call" || role === "section" || (role === "parameter" && !isClosing);
}

type RawKind = { closer: TagRole; opener: TagRole; around: TagRole };
const PARAMETER: RawKind = { closer: "parameter", opener: "parameter", around: "call" };
const ARGUMENT: RawKind = { closer: "value", opener: "key", around: "section" };

/**
 * Reads a value that is not escaped, so that it may hold the same markup. Its closing tag counts when the call goes on or
 * ends after it, and not inside a whole call that the value shows.
 */
function* readRawValue(
  c: Cursor,
  kind: RawKind,
  isMissing: (key: string) => boolean,
): Parse<string | undefined> {
  const from = c.pos;
  const shown = { inLines: 0, inThisLine: 0 };
  for (;;) {
    if (!(yield* c.seek(60, 10))) return undefined;
    const at = c.pos;
    const tag = yield* peekTag(c);
    c.pos = tag?.end ?? at + 1;
    if (!tag) {
      if (c.source.code(at) === 10) shown.inThisLine = 0;
      continue;
    }
    const startsLine = at === from || c.source.code(at - 1) === 10;
    if (countShown(shown, tag, kind, startsLine)) continue;
    if (yield* endsValue(c, tag, kind, startsLine, isMissing)) {
      const isOwnCloser = tag.role === kind.closer && tag.isClosing;
      if (!isOwnCloser) c.pos = at;
      return c.source.slice(from, at);
    }
  }
}

/** Whether the tag belongs to a call that is only shown. One that begins inside a line must end in it to count. */
function countShown(
  shown: { inLines: number; inThisLine: number },
  tag: Tag,
  kind: RawKind,
  startsLine: boolean,
): boolean {
  const depth = startsLine && !tag.isClosing ? "inLines" : "inThisLine";
  const isAround = tag.role === kind.around;
  if (isAround && !tag.isClosing && (kind.around === "section" || TOOL_NAME.test(tag.name ?? ""))) {
    shown[depth] += 1;
    return true;
  }
  if (isAround && tag.isClosing && shown.inThisLine + shown.inLines > 0) {
    shown[shown.inThisLine > 0 ? "inThisLine" : "inLines"] -= 1;
    return true;
  }
  return shown.inThisLine + shown.inLines > 0;
}

/** Looks past the tag, and comes back. */
function* endsValue(
  c: Cursor,
  tag: Tag,
  kind: RawKind,
  startsLine: boolean,
  isMissing: (key: string) => boolean,
): Parse<boolean> {
  if (tag.role === kind.closer && tag.isClosing) {
    const next = yield* tagBehind(c);
    if (!next) return false;
    return next.role === "section" || next.role === "call" || (next.role === kind.opener && !next.isClosing);
  }
  if (tag.role === "parameter" && kind.opener === "parameter" && !tag.isClosing)
    return startsLine && tag.name !== undefined && isMissing(tag.name);
  // The parameter was left open and the call is closed; only the end of the section makes that certain.
  if (tag.role === "call" && kind.around === "call" && tag.isClosing) {
    const next = yield* tagBehind(c);
    return next?.role === "section";
  }
  return false;
}

function* tagBehind(c: Cursor): Parse<Tag | undefined> {
  const back = c.pos;
  yield* c.skipSpace();
  const tag = yield* peekTag(c);
  c.pos = back;
  return tag;
}

function parameterValue(tool: OfferedTool | undefined, tag: Tag, key: string, text: string): unknown {
  if (tag.asString === "true") return text;
  const trimmed = trimLineBreaks(text);
  if (tag.asString === "false") {
    const found = parseValue(trimmed, LENIENT);
    if (found) return found.value;
  }
  return typedValue(tool, key, CDATA.exec(trimmed)?.[1] ?? trimmed);
}

/** One line break on each side belongs to the markup. */
function trimLineBreaks(text: string): string {
  return text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}
