import type { RequestPreview } from "../../src/model/types.ts";

/** One thing that is known of a program's first request, e.g. the names of its tools. */
export type Fact = {
  kind: string;
  /** Of a header or a tool. */
  name?: string;
  /** A place in the body, with dots. */
  pointer?: string;
  expect?: unknown;
  template?: string;
  /** Tools that are offered only where their programs are installed. */
  mayLack?: string[];
};
export type FactFile = {
  id: string;
  wire: "messages" | "chat" | "responses";
  model: string;
  facts: Record<string, Fact>;
};

/** The ids of the facts that the request does not show. */
export function differing({ facts }: FactFile, request: RequestPreview): string[] {
  return Object.entries(facts).flatMap(([id, fact]) => (holds(fact, request) ? [] : [id]));
}

function holds(fact: Fact, { url, headers, body }: RequestPreview): boolean {
  switch (fact.kind) {
    case "query":
      return new URL(url).search.replace(/^\?/, "") === fact.expect;
    case "header":
      return headers[fact.name ?? ""] !== undefined;
    case "header_list":
      return same(headers[fact.name ?? ""]?.split(/\s*,\s*/), fact.expect);
    case "body_keys":
      return same(Object.keys(body).sort(), listOf(fact.expect).map(String).sort());
    case "body_value":
      return same(at(body, fact.pointer), fact.expect);
    case "body_absent":
      return at(body, fact.pointer) === undefined;
    case "system":
      return same(systemShape(body), fact.expect);
    case "messages":
      return same(listOf(body["messages"]).map(messageShape), fact.expect);
    case "tool_names":
      return same(toolsOf(body).map(nameOf), offeredOf(fact, toolsOf(body).map(nameOf)));
    case "tool_keys":
      return same(keySets(body), fact.expect);
    case "tool_schema":
      return same(
        withoutProse(schemaOf(toolsOf(body).find((tool) => nameOf(tool) === fact.name))),
        fact.expect,
      );
    default:
      throw new Error(`no check for facts of the kind ${fact.kind}`);
  }
}

function offeredOf({ expect, mayLack = [] }: Fact, found: readonly unknown[]): unknown[] {
  return listOf(expect).filter((name) => found.includes(name) || !mayLack.includes(String(name)));
}

function systemShape(body: Json): unknown {
  const [first] = listOf(body["messages"]).map(recordOf);
  const system = body["system"] ?? (first?.["role"] === "system" ? first["content"] : undefined);
  return Array.isArray(system) ? system.map(partShape) : typeof system;
}

function messageShape(message: unknown): unknown {
  const { role, content } = recordOf(message);
  if (typeof content !== "string") return { role, content: listOf(content).map(partWithTag) };
  return { role, content: "string", ...tagOf(content) };
}

function partWithTag(part: unknown): unknown {
  const { text } = recordOf(part);
  return { ...partShape(part), ...(typeof text === "string" ? tagOf(text) : {}) };
}

function partShape(part: unknown): Json {
  const { type, cache_control: cache } = recordOf(part);
  return cache === undefined ? { type } : { type, cache_control: recordOf(cache)["type"] };
}

function tagOf(text: string): Json {
  const tag = /^\s*<([A-Za-z][\w:-]*)/.exec(text)?.[1];
  return tag === undefined ? {} : { tag };
}

function keySets(body: Json): string[][] {
  const sets = new Set(toolsOf(body).map((tool) => JSON.stringify(Object.keys(tool).sort())));
  return [...sets].sort().map((set) => listOf(JSON.parse(set)).map(String));
}

function toolsOf(body: Json): Json[] {
  return listOf(body["tools"]).map(recordOf);
}

function nameOf(tool: Json): unknown {
  return tool["name"] ?? recordOf(tool["function"])["name"];
}

function schemaOf(tool: Json | undefined): unknown {
  return tool && (tool["input_schema"] ?? recordOf(tool["function"])["parameters"]);
}

/** A schema without its descriptions; a property that is called "description" stays. */
function withoutProse(schema: unknown, isProperties = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withoutProse(one));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => isProperties || key !== "description");
  return Object.fromEntries(
    entries.map(([key, value]) => [key, withoutProse(value, !isProperties && key === "properties")]),
  );
}

function same(a: unknown, b: unknown): boolean {
  return a !== undefined && Bun.deepEquals(a, b);
}

function at(body: Json, pointer = ""): unknown {
  return pointer.split(".").reduce<unknown>((value, key) => recordOf(value)[key], body);
}

type Json = Record<string, unknown>;

function recordOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
