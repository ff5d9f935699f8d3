import { isRecord, type Json } from "../../util/json.ts";
import { LENIENT, parseValue } from "./json-value.ts";

/** A tool that the request offered. */
export type OfferedTool = { name: string; parameters: Json };

const PREFIX = /^(functions?|tools|default_api)\./;
const LEAKED = /<\|(channel|constrain)\|>.*$/s;
const INDEX = /:\d+$/;

/** Finds tools by the names that models write, and gives argument texts the types that a tool declares. */
export class OfferedTools {
  readonly #tools: ReadonlyMap<string, OfferedTool>;

  constructor(tools: readonly OfferedTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  get isEmpty(): boolean {
    return this.#tools.size === 0;
  }

  /** Exact but for what markup leaves around a name; never a guess. */
  find(written: string): OfferedTool | undefined {
    const name = written.trim();
    const bare = name.replace(LEAKED, "").trim().replace(PREFIX, "").replace(INDEX, "");
    return this.#tools.get(name) ?? this.#tools.get(bare) ?? this.#tools.get(halved(bare));
  }

  /** Whether more letters could make a known name of `start`. */
  hasNameWith(start: string): boolean {
    return [...this.#tools.keys()].some((name) => name.startsWith(start));
  }
}

/** `a.a` is `a` with its own name as namespace. */
function halved(name: string): string {
  const half = (name.length - 1) / 2;
  return name[half] === "." && name.slice(0, half) === name.slice(half + 1) ? name.slice(0, half) : name;
}

/** Does the schema of the tool name this parameter? */
export function declares(tool: OfferedTool | undefined, parameter: string): boolean {
  return tool !== undefined && Object.hasOwn(propertiesOf(tool), parameter);
}

/** A text between tags as a value of a parameter. */
export function typedValue(tool: OfferedTool | undefined, parameter: string, text: string): unknown {
  const properties = propertiesOf(tool);
  return typedBy(Object.hasOwn(properties, parameter) ? properties[parameter] : undefined, text);
}

/** Unchanged for strings and where the schema says nothing, else JSON or Python, or the text when it is neither. */
export function typedBy(schema: unknown, text: string): unknown {
  const types = typesIn(schema, 0);
  if (types.length === 0 || types.includes("string")) return text;
  const found = parseValue(text, LENIENT);
  return found ? found.value : text;
}

/** Arguments with lists and objects that came as encoded strings put right, where the tool wants a list or an object. */
export function withDecoded(tool: OfferedTool | undefined, args: Json): Json {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, decoded(tool, key, value)]));
}

function decoded(tool: OfferedTool | undefined, parameter: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const properties = propertiesOf(tool);
  const types = Object.hasOwn(properties, parameter) ? typesIn(properties[parameter], 0) : [];
  if (types.length === 0 || types.includes("string")) return value;
  const inner = parseValue(value, LENIENT)?.value;
  const fits =
    (Array.isArray(inner) && types.includes("array")) || (isRecord(inner) && types.includes("object"));
  return fits ? inner : value;
}

function propertiesOf(tool: OfferedTool | undefined): Json {
  const properties = tool?.parameters["properties"];
  return isRecord(properties) ? properties : {};
}

function typesIn(schema: unknown, depth: number): string[] {
  if (!isRecord(schema) || depth > 4) return [];
  const { type, anyOf, oneOf, enum: values } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === "string");
  const options = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(options)) return options.flatMap((option) => typesIn(option, depth + 1));
  return Array.isArray(values) ? values.map((value) => typeof value) : [];
}
