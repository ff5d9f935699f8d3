import type { Cursor, Parse } from "../cursor.ts";

/** "call" is `<function>` or `<invoke>`, "section" what stands around calls. */
export type TagRole = "call" | "parameter" | "section" | "key" | "value" | "separator";
export type Tag = {
  role: TagRole;
  isClosing: boolean;
  /** Of the tool or the parameter. */
  name: string | undefined;
  /** `string="true"`: the value is taken as it stands; "false": it is JSON. */
  asString: string | undefined;
  end: number;
};

const ROLES: Readonly<Record<string, TagRole>> = {
  function: "call",
  invoke: "call",
  parameter: "parameter",
  param: "parameter",
  arg_key: "key",
  arg_value: "value",
  tool_sep: "separator",
  tool_call: "section",
  tool_calls: "section",
  function_call: "section",
  function_calls: "section",
  toolcall: "section",
  calls: "section",
  tools: "section",
  tool: "section",
};
const LONGEST = 256;
const PREFIX = String.raw`(?:[|｜‖]+\s?DSML[|｜‖]+\s?|[a-z]{1,12}:)?`;
const ATTRIBUTES = String.raw`((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)`;
const TAG = new RegExp(
  String.raw`^<(/?)${PREFIX}([A-Za-z_]+)(?::[a-z]{1,12})?(?:\s*=\s*([^>]*?))?${ATTRIBUTES}\s*/?>$`,
);
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reads the tag at the cursor without stepping over it; undefined when there is none that belongs to a call. */
export function* peekTag(c: Cursor): Parse<Tag | undefined> {
  if ((yield* c.peek()) !== 60) return undefined;
  for (let length = 1; length < LONGEST; length++) {
    const code = yield* c.peek(length);
    if (Number.isNaN(code) || code === 60 || code === 10) return undefined;
    if (code === 62) return tagIn(c.source.slice(c.pos, c.pos + length + 1), c.pos + length + 1);
  }
  return undefined;
}

/** Steps over the tag when it has this role. */
export function* takeTag(c: Cursor, role: TagRole, isClosing: boolean): Parse<Tag | undefined> {
  const tag = yield* peekTag(c);
  if (tag?.role !== role || tag.isClosing !== isClosing) return undefined;
  c.pos = tag.end;
  return tag;
}

function tagIn(text: string, end: number): Tag | undefined {
  const [, slash, word = "", value, attributes = ""] = TAG.exec(text) ?? [];
  const key = word.toLowerCase();
  const role = Object.hasOwn(ROLES, key) ? ROLES[key] : undefined;
  if (role === undefined) return undefined;
  let name = value?.replace(/^(["'])(.*)\1$/, "$2").trim();
  let asString: string | undefined;
  for (const [, attribute, double, single] of attributes.matchAll(ATTRIBUTE)) {
    if (attribute === "name") name = (double ?? single ?? "").trim();
    if (attribute === "string") asString = double ?? single;
  }
  return { role, isClosing: slash === "/", name, asString, end };
}
