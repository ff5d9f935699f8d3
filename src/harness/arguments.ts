import type { JsonSchema } from "../model/types.ts";
import { escapeControls, jsonProblem } from "./json-problem.ts";
import { checkValue, isRecord } from "./json-schema.ts";
import type { HarnessArgument, HarnessTool } from "./schema.ts";

export type Fields = Record<string, unknown>;

/** The arguments that a model wrote, read and checked; or a text that tells it what is wrong. */
export function readArguments(raw: string, schema: JsonSchema): { fields: Fields } | { problem: string } {
  const value = parseArguments(raw);
  if ("problem" in value) return { problem: failed(value.problem) };
  const checked = checkValue(value.fields, schema, "");
  if ("problem" in checked) return { problem: failed(checked.problem) };
  return { fields: isRecord(checked.value) ? checked.value : {} };
}

/** Plain text of a free-form tool, also when a wire without such tools has wrapped it in JSON. */
export function readFreeText(raw: string): string {
  const value = parsed(raw);
  if (typeof value === "string") return value;
  if (!isRecord(value)) return raw;
  const { input, patch } = value;
  const text = [input, patch].find((one) => typeof one === "string");
  return text ?? raw;
}

/** The native tool's input, made of the model's fields. */
export function nativeInput(args: HarnessTool["args"], fields: Fields): Fields {
  if (!args) return fields;
  const input: Fields = {};
  for (const [name, argument] of Object.entries(args)) {
    const value = argumentValue(argument, fields);
    if (value !== undefined) input[name] = value;
  }
  return input;
}

function argumentValue(argument: HarnessArgument, fields: Fields): unknown {
  if (typeof argument === "string") return own(fields, argument);
  if ("value" in argument) return argument.value;
  const value = own(fields, argument.from);
  if (value === undefined) return argument.default;
  if (argument.equals !== undefined) return value === argument.equals;
  return argument.scale !== undefined && typeof value === "number" ? value * argument.scale : value;
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function parseArguments(raw: string): { fields: Fields } | { problem: string } {
  if (raw.trim() === "") return { fields: {} };
  const value = parsed(raw) ?? parsed(escapeControls(raw));
  if (value === undefined) return { problem: jsonProblem(raw) };
  // Some servers encode the arguments twice.
  const inner = typeof value === "string" ? parsed(value) : value;
  if (inner === null) return { fields: {} };
  if (isRecord(inner)) return { fields: inner };
  return { problem: `wanted an object, found ${JSON.stringify(value).slice(0, 80)}` };
}

/** Undefined when the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(reason: string): string {
  return `failed to parse function arguments: ${reason}`;
}
