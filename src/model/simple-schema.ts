import { isRecord, listOf } from "../util/json.ts";
import type { JsonSchema } from "./types.ts";

const DEEPEST = 32;

/**
 * A schema with the words that every server knows: type, description, enum, properties, required and items. What the others
 * say is checked when a call comes; for the model, the descriptions have it.
 */
export function simpleSchema(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  return { ...simple(schema, 0), type: "object", ...(isRecord(properties) ? {} : { properties: {} }) };
}

function simple(schema: JsonSchema, depth: number): JsonSchema {
  const { description, properties, required, items } = schema;
  const choices = listOf(schema["enum"]).filter((choice) => typeof choice === "string");
  const type = typeOf(schema);
  const fields = isRecord(properties) && depth < DEEPEST ? Object.entries(properties) : [];
  const names = listOf(required).filter(
    (name) => typeof name === "string" && fields.some(([key]) => key === name),
  );
  return {
    type,
    ...(typeof description === "string" ? { description } : {}),
    ...(type === "string" && choices.length > 0 ? { enum: choices } : {}),
    ...(type === "object"
      ? { properties: Object.fromEntries(fields.map(([key, field]) => [key, part(field, depth + 1)])) }
      : {}),
    ...(names.length > 0 ? { required: names } : {}),
    ...(type === "array" ? { items: part(items, depth + 1) } : {}),
  };
}

function part(schema: unknown, depth: number): JsonSchema {
  return isRecord(schema) && depth < DEEPEST ? simple(schema, depth) : { type: "string" };
}

/** The first type that is not null; of alternatives, the first one's. */
function typeOf(schema: JsonSchema): string {
  const { properties, items } = schema;
  const named = typesOf(schema).find((type) => type !== "null");
  const guess = isRecord(properties) ? "object" : items === undefined ? "string" : "array";
  return named ?? guess;
}

function typesOf({ type, anyOf, oneOf }: JsonSchema): string[] {
  const alternatives = [...listOf(anyOf), ...listOf(oneOf)].filter(isRecord);
  return [...[type].flat().filter((one) => typeof one === "string"), ...alternatives.flatMap(typesOf)];
}
