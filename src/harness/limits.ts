import type { JsonSchema } from "../model/types.ts";
import { type Checked, misfit, named, type Reading, shown } from "./misfit.ts";

/** A number beyond a bound is read as the bound; a text or list of a wrong length or form is a problem. */
export function withinLimits(value: unknown, schema: JsonSchema, reading: Reading): Checked {
  if (typeof value === "number") return bounded(value, schema, reading);
  const problem =
    typeof value === "string"
      ? textProblem(value, schema)
      : Array.isArray(value)
        ? listProblem(value, schema)
        : undefined;
  return problem === undefined ? { value } : misfit(reading.path, problem);
}

function bounded(value: number, schema: JsonSchema, { path, changes }: Reading): Checked {
  const { minimum, maximum, exclusiveMinimum } = schema;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    return misfit(path, `must be more than ${exclusiveMinimum}, found ${value}`);
  const least = typeof minimum === "number" ? minimum : value;
  const most = typeof maximum === "number" ? maximum : value;
  const meant = Math.min(Math.max(value, least), most);
  if (meant !== value) changes.push(`${named(path)}read as ${meant}`);
  return { value: meant };
}

function textProblem(value: string, { minLength, pattern }: JsonSchema): string | undefined {
  if (typeof minLength === "number" && value.length < minLength)
    return minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`;
  if (typeof pattern !== "string" || fits(value, pattern)) return undefined;
  return `must match ${pattern}, found ${shown(value)}`;
}

/** A pattern that this engine does not understand counts as fitting: the schema is not the model's fault. */
function fits(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

function listProblem(value: readonly unknown[], { minItems, maxItems }: JsonSchema): string | undefined {
  if (typeof minItems === "number" && value.length < minItems)
    return `must have at least ${minItems} entries, found ${value.length}`;
  if (typeof maxItems === "number" && value.length > maxItems)
    return `must have at most ${maxItems} entries, found ${value.length}`;
  return undefined;
}

/** Models that must fill in every field write "" or 0 where a schema wants something or nothing. */
export function isEmptyFor(value: unknown, { minLength, exclusiveMinimum }: JsonSchema): boolean {
  if (value === "") return typeof minLength === "number" && minLength > 0;
  return value === 0 && exclusiveMinimum === 0;
}
