import type { JsonSchema } from "../../model/types.ts";
import { plainSchema } from "./plain-schema.ts";

/** A tool's schema is sent with every request. Characters of its JSON. */
const LONGEST_SCHEMA = 65_536;
const LONGEST_HINT = 1_024;
const MOST_CHOICES = 200;

/** `fault`: what of it is not told to the model, in words. */
export type BoundedSchema = { parameters: JsonSchema; fault?: string };

/**
 * A tool's input schema for a model, within limits that a careless or hostile server can't stretch: one that is too large
 * loses its long texts and lists of choices first, then all that lies below its own fields, then all of it. The server checks
 * the arguments itself.
 */
export function boundedSchema(schema: unknown): BoundedSchema {
  const whole = plainSchema(schema);
  if (sizeOf(whole) <= LONGEST_SCHEMA) return { parameters: whole };
  const terse: JsonSchema = { ...whole, properties: tersely(whole["properties"]) };
  if (sizeOf(terse) <= LONGEST_SCHEMA)
    return { parameters: terse, fault: "its long texts and lists of choices are cut" };
  const flat = { type: "object", properties: flatly(whole["properties"]) };
  if (sizeOf(flat) <= LONGEST_SCHEMA)
    return { parameters: flat, fault: "only the names of its fields are kept" };
  return { parameters: { type: "object", properties: {} }, fault: "it is offered without parameters" };
}

function tersely(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, LONGEST_HINT);
  if (Array.isArray(value)) return value.map(tersely);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, member]) => !(key === "enum" && isLong(member)));
  return Object.fromEntries(kept.map(([key, member]) => [key, tersely(member)]));
}

function isLong(values: unknown): boolean {
  return Array.isArray(values) && values.length > MOST_CHOICES;
}

function flatly(properties: unknown): Record<string, unknown> {
  if (typeof properties !== "object" || properties === null) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, { type: property?.type ?? "string" }]),
  );
}

function sizeOf(schema: JsonSchema): number {
  return JSON.stringify(schema).length;
}
