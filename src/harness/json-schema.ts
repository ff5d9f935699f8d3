import type { JsonSchema } from "../model/types.ts";
import { isRecord } from "../util/json.ts";
import { isEmptyFor, withinLimits } from "./limits.ts";
import { type Checked, type Misfit, misfit, named, type Reading, shown } from "./misfit.ts";
import { letters, spelledLike } from "./spelling.ts";

/**
 * Checks a value against the part of JSON Schema that tools use: type, required, properties, items, enum, const, anyOf,
 * oneOf, bounds of numbers, lengths of texts and lists, pattern. A value that is one step away from the schema is taken as
 * what was meant: a number or truth value written as a string, a list or object written as a string, null for a field that
 * may be absent, another spelling of a field's name or of one of the words that are allowed, a number beyond a bound as the
 * bound. Unknown fields stay.
 */
export function checkValue(value: unknown, schema: JsonSchema, reading: Reading): Checked {
  const { anyOf, oneOf } = schema;
  const alternatives = schemas(anyOf ?? oneOf);
  if (alternatives.length === 0) return checkPlain(value, schema, reading);
  const fit = firstFit(value, alternatives, reading);
  return "problem" in fit ? fit : checkPlain(fit.value, schema, reading);
}

function checkPlain(value: unknown, schema: JsonSchema, reading: Reading): Checked {
  const { enum: allowed, const: only } = schema;
  const { path } = reading;
  const types = typesOf(schema);
  const isFit = types.length === 0 || types.some((type) => isOf(type, value));
  const meant = isFit ? value : coerced(value, types);
  if (meant === undefined)
    return misfit(path, `must be ${types.map(article).join(" or ")}, found ${shown(value)}`);
  if (!isFit) reading.changes.push(`${named(path)}read as ${article(typeName(meant))}`);
  if (Array.isArray(allowed)) return checkChoice(meant, allowed, reading);
  if (only !== undefined) return checkChoice(meant, [only], reading);
  const limited = withinLimits(meant, schema, reading);
  if ("problem" in limited) return limited;
  if (isRecord(meant)) return checkFields(meant, schema, reading);
  return Array.isArray(meant) ? checkItems(meant, schema, reading) : limited;
}

/** The first alternative that the value fits as it is, else the first that it may be meant for. */
function firstFit(value: unknown, alternatives: readonly JsonSchema[], reading: Reading): Checked {
  let first: Misfit | undefined;
  let meant: { value: unknown; changes: string[] } | undefined;
  for (const one of alternatives) {
    const changes: string[] = [];
    const result = checkValue(value, one, { ...reading, changes });
    if ("problem" in result) first ??= result;
    else if (changes.length === 0) return result;
    else meant ??= { ...result, changes };
  }
  if (!meant) return first ?? { value };
  reading.changes.push(...meant.changes);
  return meant;
}

function checkChoice(value: unknown, allowed: readonly unknown[], { path, changes }: Reading): Checked {
  if (allowed.includes(value)) return { value };
  const alike = allowed.filter(
    (one) => typeof one === "string" && typeof value === "string" && letters(one) === letters(value),
  );
  const [meant, ...more] = alike;
  if (meant === undefined || more.length > 0)
    return misfit(path, `must be one of ${allowed.map(shown).join(", ")}, found ${shown(value)}`);
  changes.push(`${named(path)}read as ${shown(meant)}`);
  return { value: meant };
}

function checkFields(value: Record<string, unknown>, schema: JsonSchema, reading: Reading): Checked {
  const { path } = reading;
  const properties = propertiesOf(schema);
  const names = knownNames(Object.keys(value), schema, reading);
  if ("problem" in names) return names;
  const { required } = schema;
  const needed = Array.isArray(required) ? required.map(String) : [];
  const entries: [string, unknown][] = [];
  for (const [written, field] of Object.entries(value)) {
    const name = names.meant.get(written) ?? written;
    const fieldSchema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === null && !(isRecord(fieldSchema) && typesOf(fieldSchema).includes("null"))) continue;
    if (isRecord(fieldSchema) && !needed.includes(name) && isEmptyFor(field, fieldSchema)) {
      reading.changes.push(`${named(below(path, name))}read as left out`);
      continue;
    }
    const checked = isRecord(fieldSchema)
      ? checkValue(field, fieldSchema, { ...reading, path: below(path, name) })
      : { value: field };
    if ("problem" in checked) return checked;
    entries.push([name, checked.value]);
  }
  const fields = Object.fromEntries(entries);
  const missing = needed.find((name) => !Object.hasOwn(fields, name));
  if (missing === undefined) return { value: fields };
  return {
    problem: missingField(missing, path, value),
    field: below(path, missing),
    reason: "missing",
  };
}

/** Names that the schema does not know, and the field that each of them is another spelling of. */
function knownNames(
  written: readonly string[],
  schema: JsonSchema,
  { mayGuess, changes, path }: Reading,
): { meant: Map<string, string> } | Misfit {
  const meant = new Map<string, string>();
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== false) return { meant };
  const properties = propertiesOf(schema);
  const absent = Object.keys(properties).filter((name) => !written.includes(name));
  const unknown = written.filter((name) => !Object.hasOwn(properties, name));
  for (const name of unknown) {
    const spelled = spelledLike(name, absent);
    const isRival = unknown.some(
      (other) => other !== name && spelledLike(other, absent)?.name === spelled?.name,
    );
    if (!spelled || isRival) continue;
    if (spelled.isGuess && !mayGuess)
      return {
        problem: `unknown field \`${name}\`${inside(path)}; did you mean \`${spelled.name}\`?`,
        field: below(path, name),
        reason: `unknown, did you mean ${spelled.name}?`,
      };
    meant.set(name, spelled.name);
    changes.push(`\`${name}\` read as \`${spelled.name}\``);
  }
  return { meant };
}

function missingField(name: string, path: string, value: Record<string, unknown>): string {
  const found = Object.keys(value).map((key) => `\`${key}\``);
  return `missing field \`${name}\`${inside(path)}${found.length > 0 ? ` (found ${found.join(", ")})` : ""}`;
}

function checkItems(value: readonly unknown[], schema: JsonSchema, reading: Reading): Checked {
  const { items } = schema;
  if (!isRecord(items)) return { value };
  const checked: unknown[] = [];
  for (const [at, item] of value.entries()) {
    const result = checkValue(item, items, { ...reading, path: `${reading.path}[${at}]` });
    if ("problem" in result) return result;
    checked.push(result.value);
  }
  return { value: checked };
}

/** The schemas of an object's fields, by their names; empty when there are none. */
export function propertiesOf({ properties }: JsonSchema): Record<string, unknown> {
  return isRecord(properties) ? properties : {};
}

function typesOf(schema: JsonSchema): string[] {
  const { type } = schema;
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

/** What was meant, as the first of the types that it can be read as. */
function coerced(value: unknown, types: readonly string[]): unknown {
  if (typeof value === "number" || typeof value === "boolean")
    return types.includes("string") ? String(value) : undefined;
  if (typeof value !== "string") return undefined;
  const read = parsed(value);
  return types.some((type) => type !== "null" && isOf(type, read)) ? read : undefined;
}

function parsed(text: string): unknown {
  const trimmed = text.trim();
  if (/^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined;
  }
}

function schemas(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function below(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}

function inside(path: string): string {
  return path ? ` in \`${path}\`` : "";
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function article(type: string): string {
  return /^[aio]/.test(type) ? `an ${type}` : type === "null" ? "null" : `a ${type}`;
}
