import { isRecord } from "../../../util/json.ts";
import type { Cursor, Parse } from "../cursor.ts";
import { type OfferedTool, typedBy } from "../offered-tools.ts";
import type { Batch } from "../written-calls.ts";

/** Stands before every tag of MiniMax M3. */
export const M3_MARK = "]<]minimax[>[";

type Element = { name: string; text: string; children: Element[] };
const DEEPEST = 20;

/** The cursor is after the opening tag of the section. */
export function* readM3Calls(c: Cursor, batch: Batch): Parse<boolean> {
  let count = 0;
  for (;;) {
    yield* c.skipSpace();
    if (!(yield* takeM3Mark(c))) return count > 0;
    if (yield* c.take("</tool_call>")) {
      if (count > 0) batch.end = c.pos;
      return count > 0;
    }
    if (!(yield* c.take('<invoke name="'))) return count > 0;
    const name = yield* c.word(/[^"<>\n]/, 128);
    if (!(yield* c.take('">'))) return count > 0;
    const call = yield* readContent(c, "invoke", 0);
    if (!call) return count > 0;
    const tool = batch.tools.find(name);
    batch.add(name, Object.fromEntries(call.children.map((child) => [child.name, argument(tool, child)])));
    batch.end = c.pos;
    count += 1;
  }
}

function* takeM3Mark(c: Cursor): Parse<boolean> {
  const isThere = yield* c.take(M3_MARK);
  if (isThere) yield* c.skipSpace();
  return isThere;
}

/** Reads to the closing tag of `name`. */
function* readContent(c: Cursor, name: string, depth: number): Parse<Element | undefined> {
  const element: Element = { name, text: "", children: [] };
  const from = c.pos;
  while (depth < DEEPEST && (yield* c.seek(93))) {
    const to = c.pos;
    if (!(yield* takeM3Mark(c))) {
      c.pos = to + 1;
      continue;
    }
    if (element.children.length === 0) element.text = c.source.slice(from, to);
    if (yield* c.take(`</${name}>`)) return element;
    if (!(yield* c.take("<"))) return undefined;
    const inner = yield* c.word(/[\w.-]/, 128);
    if (inner === "" || !(yield* c.take(">"))) return undefined;
    const child = yield* readContent(c, inner, depth + 1);
    if (!child) return undefined;
    element.children.push(child);
  }
  return undefined;
}

function argument(tool: OfferedTool | undefined, element: Element): unknown {
  const properties = tool?.parameters["properties"];
  return elementValue(element, isRecord(properties) ? properties[element.name] : undefined);
}

function elementValue({ text, children }: Element, schema: unknown): unknown {
  if (children.length === 0) return typedBy(schema, text.replace(/^\r?\n/, "").replace(/\r?\n$/, ""));
  const { items, properties } = isRecord(schema) ? schema : {};
  if (children.every(({ name }) => name === "item"))
    return children.map((child) => elementValue(child, items));
  const inner = isRecord(properties) ? properties : {};
  return Object.fromEntries(children.map((child) => [child.name, elementValue(child, inner[child.name])]));
}
