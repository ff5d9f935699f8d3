import { isRecord } from "../../../util/json.ts";
import type { Cursor, Parse } from "../cursor.ts";
import { LENIENT, readObject } from "../json-value.ts";
import { type Batch, hasArguments } from "../written-calls.ts";

/** The end of the list, and two that are too many. */
const MOST_BRACKETS = 3;

/**
 * One or more objects that name a tool: alone, in a list, a line each, or with `;` between them. Brackets may be missing
 * or too many. `isKeyed`: the name of the tool is the only key.
 */
export function* readJsonCalls(c: Cursor, batch: Batch, isKeyed = false): Parse<boolean> {
  let count = 0;
  yield* c.take("[");
  for (;;) {
    yield* c.skipSpace();
    if ((yield* c.peekChar()) !== "{") return count > 0;
    const found = yield* readObject(c, LENIENT, 0, true);
    if (!found || (found.isOpen && !hasArguments(found.value))) return count > 0;
    count += 1;
    if (isKeyed) batch.addKeyed(found.value);
    else for (const value of membersOf(found.value)) batch.addObject(value);
    batch.end = c.pos;
    yield* skipSurplus(c, batch);
    yield* c.skipSpace();
    if (!(yield* c.take(","))) yield* c.take(";");
  }
}

/** `{"tool_calls": […]}` also occurs between marks. */
function membersOf(value: Record<string, unknown>): Record<string, unknown>[] {
  const { tool_calls: calls } = value;
  return Array.isArray(calls) && Object.keys(value).length === 1 ? calls.filter(isRecord) : [value];
}

function* skipSurplus(c: Cursor, batch: Batch): Parse<void> {
  for (let count = 0; count < MOST_BRACKETS; ) {
    yield* c.skipSpace();
    if (!(yield* c.take("}")) && !(yield* c.take("]"))) return;
    count += 1;
    batch.end = c.pos;
  }
}

/** The arguments of a call to `name`: one object. */
export function* readArguments(c: Cursor, batch: Batch, name: string, id?: string): Parse<boolean> {
  const found = yield* readObject(c, LENIENT);
  if (!found) return false;
  batch.add(name, found.value, id);
  return true;
}
