import type { JsonSchema } from "../model/types.ts";
import { isRecord } from "../util/json.ts";
import { repairJson } from "../util/json-repair.ts";
import { shellQuote } from "../util/shell-quote.ts";
import { asCommandLine } from "./command-field.ts";
import { jsonProblem } from "./json-problem.ts";
import { checkValue } from "./json-schema.ts";
import type { Misfit } from "./misfit.ts";
import type { HarnessArgument, HarnessTool } from "./schema.ts";
import { renderTemplate } from "./template.ts";

export type Fields = Record<string, unknown>;

export type ReadArguments = {
  fields: Fields;
  /** What had to be made good, each as a few words for the model. */
  repairs: string[];
};

/**
 * The arguments that a model wrote, read, repaired and checked; or a text that tells it what is wrong. `mayGuess`: a
 * missing closing bracket and a letter too many in a name are made good too; not for calls that change files.
 */
export function readArguments(raw: string, schema: JsonSchema, mayGuess: boolean): ReadArguments | Misfit {
  const value = parseArguments(raw, mayGuess);
  if ("problem" in value) return { problem: failed(value.problem), field: "", reason: value.problem };
  const changes: string[] = [];
  const fields = asCommandLine(value.fields, schema, changes);
  const checked = checkValue(fields, schema, { path: "", mayGuess, changes });
  if ("problem" in checked) return { ...checked, problem: failed(checked.problem) };
  return { fields: isRecord(checked.value) ? checked.value : {}, repairs: [...value.repairs, ...changes] };
}

/** Plain text of a free-form tool, also when a wire without such tools has wrapped it in JSON. */
export function readFreeText(raw: string): string {
  const value = readJson(raw, false)?.value;
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
    // A schema may allow null for what is left out; native tools know only absent fields.
    if (value !== undefined && value !== null) input[name] = value;
  }
  return input;
}

function argumentValue(argument: HarnessArgument, fields: Fields): unknown {
  if (typeof argument === "string") return own(fields, argument);
  if ("value" in argument) return argument.value;
  if ("template" in argument) return filledIn(argument, fields);
  const value = [argument.from]
    .flat()
    .map((name) => own(fields, name))
    .find((one) => one !== undefined && one !== null);
  if (value === undefined || value === null) return argument.default;
  if (argument.equals !== undefined) return value === argument.equals;
  if (typeof value !== "number") return mapped(value, argument.map);
  return Math.min(value, argument.max ?? value) * (argument.scale ?? 1) + (argument.plus ?? 0);
}

/** A parameter that the call does not have is nothing. */
function filledIn(
  { template, quote }: { template: string; quote?: "shell" | undefined },
  fields: Fields,
): string {
  return renderTemplate(template, (name, isSection) => {
    const value = own(fields, name);
    if (typeof value === "boolean" || value === undefined || value === null) return value ?? "";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return quote === undefined || isSection ? text : shellQuote([text]);
  });
}

function mapped(value: unknown, words: Readonly<Record<string, unknown>> = {}): unknown {
  return typeof value === "string" && Object.hasOwn(words, value) ? words[value] : value;
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function parseArguments(raw: string, mayGuess: boolean): ReadArguments | { problem: string } {
  if (raw.trim() === "") return { fields: {}, repairs: [] };
  const outer = readJson(raw, mayGuess);
  if (!outer) return { problem: jsonProblem(raw) };
  // Some servers encode the arguments twice.
  const inner = typeof outer.value === "string" ? readJson(outer.value, mayGuess) : outer;
  if (inner?.value === null) return { fields: {}, repairs: [] };
  if (isRecord(inner?.value)) return { fields: inner.value, repairs: inner.repairs };
  return { problem: `wanted an object, found ${JSON.stringify(outer.value).slice(0, 80)}` };
}

/** Undefined when the text is not JSON and can't be read as such. */
function readJson(text: string, mayGuess: boolean): { value: unknown; repairs: string[] } | undefined {
  try {
    return { value: JSON.parse(text), repairs: [] };
  } catch {
    const repaired = repairJson(text);
    return repaired?.isGuess && !mayGuess ? undefined : repaired;
  }
}

function failed(reason: string): string {
  return `failed to parse function arguments: ${reason}`;
}
