import { isRecord, type Json } from "../../util/json.ts";
import { LENIENT, parseValue } from "./json-value.ts";
import { type OfferedTools, withDecoded } from "./offered-tools.ts";

/** A call that a model wrote as text. `id` is the one it gave itself, to be sent back unchanged. */
export type WrittenCall = { name: string; arguments: Json; id?: string };

const NAME_KEYS = ["name", "tool_name", "tool"] as const;
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input"] as const;
const BARE_KEYS = new Set<string>([
  ...NAME_KEYS,
  ...ARGUMENT_KEYS,
  "type",
  "id",
  "index",
  "tool_call_id",
  "function",
]);
const WRAPPERS = ["tool_calls", "tool_call", "function"] as const;

/** The calls of one piece of markup, as they are found. */
export class Batch {
  readonly calls: WrittenCall[] = [];
  /** Well-formed calls of tools that don't exist. */
  readonly refused: WrittenCall[] = [];
  /** Where the last whole call ends, with its closing marks. */
  end: number | undefined;
  readonly tools: OfferedTools;

  constructor(tools: OfferedTools) {
    this.tools = tools;
  }

  /** Undefined arguments: what was written is not an object. */
  add(written: string, args: Json | undefined, id?: string): void {
    const tool = this.tools.find(written);
    if (!args || isSchema(args)) return;
    const own = id === undefined ? {} : { id };
    if (tool) this.calls.push({ name: tool.name, arguments: withDecoded(tool, args), ...own });
    else this.refused.push({ name: written.trim(), arguments: args, ...own });
  }

  /** Adds what an object between marks says. */
  addObject(value: Json): void {
    const inner = isRecord(value["function"]) ? { ...value, ...value["function"] } : value;
    const name = NAME_KEYS.map((key) => inner[key]).find((found) => typeof found === "string");
    const plain = typeof inner["function"] === "string" ? inner["function"] : undefined;
    const key = ARGUMENT_KEYS.find((candidate) => Object.hasOwn(inner, candidate));
    const called = typeof name === "string" ? name : plain;
    if (called === undefined) return;
    const id = typeof inner["id"] === "string" ? inner["id"] : undefined;
    this.add(called, argumentsIn(key === undefined ? {} : inner[key], true), id);
  }

  /** `{"tool": {…}}`: the name is the key. */
  addKeyed(value: Json): void {
    const [entry, ...more] = Object.entries(value);
    if (entry && more.length === 0) this.add(entry[0], argumentsIn(entry[1], true));
  }
}

/** Whether an object without its last brace already says all that a call needs. */
export function hasArguments(value: Json): boolean {
  return [...ARGUMENT_KEYS, "function"].some((key) => isRecord(value[key]));
}

/** The calls in a bare value; undefined when any part of it is something else. Nothing is repaired here. */
export function bareCalls(value: unknown, tools: OfferedTools): WrittenCall[] | undefined {
  const members = Array.isArray(value) ? value : [value];
  const calls: WrittenCall[] = [];
  for (const member of members) {
    const found = bareCall(member, tools);
    if (!found) return undefined;
    calls.push(...found);
  }
  return calls.length === 0 ? undefined : calls;
}

/** May an object without marks around it have this key and be a call? */
export function isBareKey(key: string): boolean {
  return BARE_KEYS.has(key) || WRAPPERS.some((wrapper) => wrapper === key);
}

/** Is it a key under which such an object names its tool? */
export function isBareNameKey(key: string): boolean {
  return NAME_KEYS.some((name) => name === key);
}

function bareCall(value: unknown, tools: OfferedTools): WrittenCall[] | undefined {
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  const wrapper = keys.length === 1 ? WRAPPERS.find((key) => key === keys[0]) : undefined;
  if (wrapper !== undefined) return unwrapped(value[wrapper], tools);
  if (!keys.every((key) => BARE_KEYS.has(key))) return undefined;
  if (isRecord(value["function"])) {
    return keys.some((key) => NAME_KEYS.some((name) => name === key))
      ? undefined
      : bareCall(value["function"], tools);
  }
  const names = [...NAME_KEYS, "function"].flatMap((key) => (Object.hasOwn(value, key) ? [value[key]] : []));
  const args = ARGUMENT_KEYS.flatMap((key) => (Object.hasOwn(value, key) ? [value[key]] : []));
  const [name] = names;
  if (names.length !== 1 || args.length !== 1 || typeof name !== "string") return undefined;
  const tool = tools.find(name);
  const found = argumentsIn(args[0], false);
  if (!tool || !found || isSchema(found)) return undefined;
  const id = typeof value["id"] === "string" ? { id: value["id"] } : {};
  return [{ name: tool.name, arguments: withDecoded(tool, found), ...id }];
}

/** One wrapper deep only. */
function unwrapped(value: unknown, tools: OfferedTools): WrittenCall[] | undefined {
  const isNested = (member: unknown) => isRecord(member) && WRAPPERS.slice(0, 2).some((key) => key in member);
  const members = Array.isArray(value) ? value : [value];
  return members.some(isNested) ? undefined : bareCalls(members, tools);
}

/** An object, also one that was encoded as a string once or twice. `mayBeEmpty`: null and "" stand for {}. */
export function argumentsIn(value: unknown, mayBeEmpty: boolean): Json | undefined {
  let found = value;
  for (let layer = 0; layer < 2 && typeof found === "string" && found.trim() !== ""; layer++)
    found = parseValue(found, LENIENT)?.value;
  if (isRecord(found)) return found;
  const isEmpty = found === null || (typeof found === "string" && found.trim() === "");
  return mayBeEmpty && isEmpty ? {} : undefined;
}

/** The description of a tool instead of a call of it. */
function isSchema(args: Json): boolean {
  return args["type"] === "object" && isRecord(args["properties"]);
}
