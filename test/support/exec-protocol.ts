import { expect } from "bun:test";
import { asObject, type Json } from "./exec.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isNullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isListOf =
  (keys: Readonly<Record<string, Check>>): Check =>
  (value) =>
    Array.isArray(value) && value.every((one) => problemsOf(asObject(one), keys).length === 0);
const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((one) => one === value);
const isShape =
  (keys: Readonly<Record<string, Check>>): Check =>
  (value) =>
    problemsOf(asObject(value), keys).length === 0;

const STATUS = isOneOf("in_progress", "completed", "failed", "declined");

/** Every key of every line, and nothing else. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  "thread.started": { thread_id: (value) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/.test(String(value)) },
  "turn.started": {},
  "item.started": { item: isShapedItem },
  "item.updated": { item: isShapedItem },
  "item.completed": { item: isShapedItem },
  "turn.completed": {
    usage: isShape({
      input_tokens: isCount,
      cached_input_tokens: isCount,
      cache_write_input_tokens: isCount,
      output_tokens: isCount,
      reasoning_output_tokens: isCount,
    }),
  },
  "turn.failed": { error: isShape({ message: isText }) },
  error: { message: isText },
};

const ITEMS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  agent_message: { text: isText },
  reasoning: { text: isText },
  error: { message: isText },
  command_execution: {
    command: isText,
    aggregated_output: isText,
    exit_code: isNullOr((value) => Number.isInteger(value)),
    status: STATUS,
  },
  file_change: {
    changes: isListOf({
      path: (value) => isText(value) && String(value).startsWith("/"),
      kind: isOneOf("add", "delete", "update"),
    }),
    status: STATUS,
  },
  mcp_tool_call: {
    server: isText,
    tool: isText,
    arguments: () => true,
    result: isNullOr(
      (value) => Array.isArray(asObject(value)["content"]) && "structured_content" in asObject(value),
    ),
    error: isNullOr(isShape({ message: isText })),
    status: STATUS,
  },
  todo_list: { items: isListOf({ text: isText, completed: (value) => typeof value === "boolean" }) },
  web_search: { query: isText, action: () => true },
};

function isShapedItem(value: unknown): boolean {
  const { id, type, ...rest } = asObject(value);
  const keys = ITEMS[String(type)];
  return /^item_\d+$/.test(String(id)) && keys !== undefined && problemsOf(rest, keys).length === 0;
}

function problemsOf(value: Json, keys: Readonly<Record<string, Check>>): string[] {
  const missing = Object.keys(keys).filter((key) => !keys[key]?.(value[key]) || !(key in value));
  return [...missing, ...Object.keys(value).filter((key) => !(key in keys))];
}

/** Fails when a line of `exec --json` breaks the protocol: its keys, the order of events, the numbers of items. */
export function checkProtocol(stdout: string): void {
  const lines = stdout.split("\n");
  expect(lines.pop()).toBe("");
  const events = lines.map((line) => asObject(JSON.parse(line)));
  expect(events.flatMap(keyProblems)).toEqual([]);
  expect(orderProblems(events)).toEqual([]);
  expect(itemProblems(events)).toEqual([]);
}

function keyProblems(event: Json): string[] {
  const { type, ...rest } = event;
  const keys = EVENTS[String(type)];
  if (keys === undefined) return [`unknown event ${type}`];
  return problemsOf(rest, keys).map((key) => `${JSON.stringify(event)}: ${key}`);
}

function orderProblems(events: readonly Json[]): string[] {
  const types = events.map(({ type }) => String(type));
  const problems: string[] = [];
  const once = (type: string) => types.filter((one) => one === type).length;
  if (types.length > 0 && types[0] !== "thread.started") problems.push("thread.started is not the first");
  for (const type of ["thread.started", "turn.started"]) if (once(type) > 1) problems.push(`${type} twice`);
  const ends = types.flatMap((type, index) => (/^turn\.(completed|failed)$/.test(type) ? [index] : []));
  if (ends.some((index) => index !== types.length - 1))
    problems.push("something follows the end of the turn");
  const begin = types.indexOf("turn.started");
  const isEarly = (event: Json, index: number) =>
    index < begin && index > 0 && asObject(event["item"])["type"] !== "error";
  if (events.some(isEarly)) problems.push("something but a warning comes before turn.started");
  return problems;
}

/** Items are numbered in the order in which they appear, are completed at most once, and started at most once. */
function itemProblems(events: readonly Json[]): string[] {
  const seen = new Map<string, string>();
  const problems: string[] = [];
  for (const { type, item } of events) {
    if (item === undefined) continue;
    const id = String(asObject(item)["id"]);
    const before = seen.get(id);
    if (before === undefined && id !== `item_${seen.size}`) problems.push(`${id} is out of order`);
    if (before === "item.completed") problems.push(`${id} goes on after its end`);
    if (before !== undefined && type === "item.started") problems.push(`${id} starts twice`);
    seen.set(id, String(type));
  }
  return problems;
}
