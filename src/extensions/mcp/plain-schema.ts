import type { JsonSchema } from "../../model/types.ts";

type Node = {
  [keyword: string]: unknown;
  type?: unknown;
  properties?: unknown;
  enum?: unknown;
  description?: unknown;
};

/** A schema that refers to itself in many places grows without end when it is written out. */
const MAX_NODES = 2_000;
/** Few model servers take more. */
const MAX_DEPTH = 32;
/** llama.cpp turns limits into repetitions of its grammar and refuses large ones. */
const MAX_REPETITION = 1_000;
const REPETITIONS = ["maxLength", "minLength", "maxItems", "minItems"];
/** Book-keeping, and conditions that most model servers don't know. */
const DROPPED = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$comment",
  "$defs",
  "definitions",
  "if",
  "then",
  "else",
  "contains",
  "dependentSchemas",
  "patternProperties",
  "prefixItems",
  "propertyNames",
  "__proto__",
]);
const LISTS = ["anyOf", "oneOf", "allOf"] as const;

/**
 * A tool's input schema as every model server understands it: references written out, "or null" left out, each field
 * with a type, no patterns beyond plain regular expressions. The meaning stays; the server checks the arguments itself.
 */
export function plainSchema(schema: unknown): JsonSchema {
  const root = isNode(schema) ? schema : {};
  const plain = new Plainer(root).plain(root, { depth: 0, references: [] });
  const properties = isNode(plain.properties) ? plain.properties : {};
  return { ...plain, type: "object", properties };
}

/** Where in the schema a node stands: how deep, and inside of which references. */
type Place = { depth: number; references: readonly string[] };

class Plainer {
  readonly #root: Node;
  #nodes = 0;

  constructor(root: Node) {
    this.#root = root;
  }

  plain(source: unknown, place: Place): Node {
    this.#nodes += 1;
    if (!isNode(source)) return { type: "string" };
    if (this.#nodes > MAX_NODES || place.depth > MAX_DEPTH) return cut(source);
    const { $ref: reference } = source;
    if (typeof reference === "string") return this.#follow(source, reference, place);
    const merged = withoutNull(mergeOnly(source));
    if (merged !== source) return this.plain(merged, place);
    return typed(this.#children(merged, { ...place, depth: place.depth + 1 }));
  }

  #follow(source: Node, reference: string, place: Place): Node {
    const { $ref: _, ...beside } = source;
    const { references } = place;
    const target = references.includes(reference) ? undefined : lookUp(this.#root, reference);
    if (target === undefined) return cut(beside);
    return this.plain({ ...target, ...beside }, { ...place, references: [...references, reference] });
  }

  #children(source: Node, place: Place): Node {
    const plain: Node = {};
    for (const [key, value] of Object.entries(source)) {
      if (DROPPED.has(key) || isTooMuch(key, value)) continue;
      if (key === "properties" && isNode(value))
        plain[key] = Object.fromEntries(
          Object.entries(value).map(([name, child]) => [name, this.plain(child, place)]),
        );
      else if (isList(key) && Array.isArray(value))
        plain[key] = value.map((child) => this.plain(child, place));
      else if (key === "items" || key === "not" || (key === "additionalProperties" && isNode(value)))
        plain[key] = this.plain(Array.isArray(value) ? value[0] : value, place);
      else if (key === "const") plain.enum = [value];
      else plain[key] = value;
    }
    return plain;
  }
}

/** `allOf` with one member, as generators write it to put a description beside a reference. */
function mergeOnly(source: Node): Node {
  const { allOf, ...beside } = source;
  const [only, ...others] = Array.isArray(allOf) ? allOf : [];
  return isNode(only) && others.length === 0 ? { ...only, ...beside } : source;
}

function withoutNull(source: Node): Node {
  const { type, default: fallback, enum: values } = source;
  if (Array.isArray(type) && type.includes("null")) {
    const rest = type.filter((one) => one !== "null");
    const kept: Node = { ...source, type: rest.length === 1 ? rest[0] : rest };
    if (Array.isArray(values)) kept.enum = values.filter((value) => value !== null);
    return fallback === null ? omit(kept, "default") : kept;
  }
  for (const key of ["anyOf", "oneOf"] as const) {
    const members = source[key];
    if (!Array.isArray(members)) continue;
    const rest = members.filter((member) => !isNode(member) || member.type !== "null");
    if (rest.length === members.length && rest.length !== 1) continue;
    const beside = omit(fallback === null ? omit(source, "default") : source, key);
    const [only] = rest;
    if (rest.length > 1) return { ...beside, [key]: rest };
    return isNode(only) ? { ...only, ...beside } : beside;
  }
  return source;
}

/** Some model servers refuse a field without a type, or a list without one for its members. */
function typed(source: Node): Node {
  const node = withType(source);
  return node.type === "array" && !("items" in node) ? { ...node, items: { type: "string" } } : node;
}

function withType(node: Node): Node {
  if (node.type !== undefined || LISTS.some((key) => key in node)) return node;
  if (Array.isArray(node.enum)) return { type: typeOfValues(node.enum), ...node };
  if ("properties" in node || "additionalProperties" in node) return { type: "object", ...node };
  if ("items" in node) return { type: "array", ...node };
  if ("minimum" in node || "maximum" in node || "multipleOf" in node) return { type: "number", ...node };
  return { type: "string", ...node };
}

function typeOfValues(values: readonly unknown[]): string {
  const types = new Set(values.map((value) => typeof value));
  const [only] = types;
  return types.size === 1 && (only === "number" || only === "boolean") ? only : "string";
}

/** What is left of a node whose inside can't be shown. */
function cut(node: Node): Node {
  const description = node.description;
  return { type: "object", ...(typeof description === "string" ? { description } : {}) };
}

function isTooMuch(key: string, value: unknown): boolean {
  if (REPETITIONS.includes(key)) return typeof value === "number" && value > MAX_REPETITION;
  return key === "pattern" && typeof value === "string" && /\(\?|\\[1-9bBpP]/.test(value);
}

/** Resolves `#/$defs/Name`. Other documents are not fetched. */
function lookUp(root: Node, reference: string): Node | undefined {
  if (!reference.startsWith("#")) return undefined;
  let node: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const name = part.replaceAll("%25", "%").replaceAll("~1", "/").replaceAll("~0", "~");
    node = isNode(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return isNode(node) ? node : undefined;
}

function omit(node: Node, key: string): Node {
  const { [key]: _, ...rest } = node;
  return rest;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(key: string): boolean {
  return LISTS.some((list) => list === key);
}
