import type { Cursor, Parse } from "../cursor.ts";
import { LENIENT, readValue } from "../json-value.ts";
import type { Batch } from "../written-calls.ts";

/** `f(a=1)` once or more: in a list, or with line breaks, `,` or `;` between. Only keyword arguments. */
export function* readPythonCalls(c: Cursor, batch: Batch): Parse<boolean> {
  let count = 0;
  const isList = yield* c.take("[");
  for (;;) {
    yield* c.skipSpace();
    if (!(yield* readOne(c, batch))) break;
    count += 1;
    if (!isList) batch.end = c.pos;
    const end = c.pos;
    yield* c.skipSpace();
    if (isList && (yield* c.take("]"))) {
      batch.end = c.pos;
      return true;
    }
    const hasMore = (yield* c.take(",")) || (!isList && ((yield* c.take(";")) || end !== c.pos));
    if (!hasMore) break;
  }
  return !isList && count > 0;
}

/** `print(f(a=1))`: in a fence of tool code, what is printed is what the model wants to see. */
function* readPrinted(c: Cursor, batch: Batch): Parse<boolean> {
  yield* c.skipSpace();
  if (!(yield* readOne(c, batch))) return false;
  yield* c.skipSpace();
  if (yield* c.take(")")) return true;
  batch.calls.pop();
  return false;
}

function* readOne(c: Cursor, batch: Batch): Parse<boolean> {
  const name = yield* c.word(/[\w.-]/, 128);
  if (!/^[A-Za-z_]/.test(name)) return false;
  if (!(yield* c.take("("))) return false;
  if (name === "print") return yield* readPrinted(c, batch);
  const entries: [string, unknown][] = [];
  for (;;) {
    yield* c.skipSpace();
    if (yield* c.take(")")) break;
    const key = yield* c.word(/\w/, 128);
    yield* c.skipSpace();
    if (key === "" || !(yield* c.take("="))) return false;
    const found = yield* readValue(c, LENIENT);
    if (!found) return false;
    entries.push([key, found.value]);
    yield* c.skipSpace();
    if (yield* c.take(",")) continue;
    if (yield* c.take(")")) break;
    return false;
  }
  batch.add(name.replace(/\.call$/, ""), Object.fromEntries(entries));
  return true;
}
