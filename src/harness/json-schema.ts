import type { JsonSchema } from "../model/types.ts";

export type Checked = { value: unknown } | { problem: string };

/**
 * Checks a value against the part of JSON Schema that tools use: type, required, properties, items, enum, anyOf. A value
 * that is one JSON step away from the schema is taken as what was meant: a number or truth value written as a string, a
 * list or object written as a string, null for a field that may be absent. Unknown fields stay. `path` is for messages.
 */
export function checkValue(value: unknown, schema: JsonSchema, path: string): Checked {
  const { anyOf, oneOf, enum: allowed } = schema;
  const alternatives = schemas(anyOf ?? oneOf);
  if (alternatives.length > 0) return firstFit(value, alternatives, path);
  const types = typesOf(schema);
  const meant = types.length === 0 || types.some((type) => isOf(type, value)) ? value : coerced(value, types);
  if (meant === undefined)
    return { problem: `${named(path)}must be ${types.map(article).join(" or ")}, found ${shown(value)}` };
  if (Array.isArray(allowed) && !allowed.includes(meant))
    return {
      problem: `${named(path)}must be one of ${allowed.map(shown).join(", ")}, found ${shown(meant)}`,
    };
  if (isRecord(meant)) return checkFields(meant, schema, path);
  return Array.isArray(meant) ? checkItems(meant, schema, path) : { value: meant };
}

function firstFit(value: unknown, alternatives: readonly JsonSchema[], path: string): Checked {
  const results = alternatives.map((one) => checkValue(value, one, path));
  const fit = results.find((result) => "value" in result);
  return fit ?? results[0] ?? { value };
}

function checkFields(value: Record<string, unknown>, schema: JsonSchema, path: string): Checked {
  const properties = propertiesOf(schema);
  const entries: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const fieldSchema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === null && !(isRecord(fieldSchema) && typesOf(fieldSchema).includes("null"))) continue;
    const checked = isRecord(fieldSchema)
      ? checkValue(field, fieldSchema, path ? `${path}.${name}` : name)
      : { value: field };
    if ("problem" in checked) return checked;
    entries.push([name, checked.value]);
  }
  const fields = Object.fromEntries(entries);
  const { required } = schema;
  const names = Array.isArray(required) ? required.map(String) : [];
  const missing = names.find((name) => !Object.hasOwn(fields, name));
  return missing === undefined ? { value: fields } : { problem: missingField(missing, path, value) };
}

function missingField(name: string, path: string, value: Record<string, unknown>): string {
  const found = Object.keys(value).map((key) => `\`${key}\``);
  const where = path ? ` in \`${path}\`` : "";
  return `missing field \`${name}\`${where}${found.length > 0 ? ` (found ${found.join(", ")})` : ""}`;
}

function checkItems(value: readonly unknown[], schema: JsonSchema, path: string): Checked {
  const { items } = schema;
  if (!isRecord(items)) return { value };
  const checked: unknown[] = [];
  for (const [at, item] of value.entries()) {
    const result = checkValue(item, items, `${path}[${at}]`);
    if ("problem" in result) return result;
    checked.push(result.value);
  }
  return { value: checked };
}

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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function named(path: string): string {
  return path ? `field \`${path}\` ` : "the arguments ";
}

function article(type: string): string {
  return /^[aio]/.test(type) ? `an ${type}` : type === "null" ? "null" : `a ${type}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
