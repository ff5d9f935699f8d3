import { isRecord, type Json } from "../util/json.ts";

export function valueAt(object: Json, key: string): unknown {
  return object[key];
}

export function textAt(object: Json, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" ? value : undefined;
}

export function numberAt(object: Json, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function objectAt(object: Json, key: string): Json | undefined {
  const value = object[key];
  return isRecord(value) ? value : undefined;
}

export function listAt(object: Json, key: string): readonly unknown[] | undefined {
  const value = object[key];
  return Array.isArray(value) ? value : undefined;
}

/** The value, when it is one of these words. */
export function wordAt<const T extends string>(
  object: Json,
  key: string,
  words: readonly T[],
): T | undefined {
  const value = object[key];
  return words.find((word) => word === value);
}

/** The object without the keys whose value is undefined. */
export function withoutUndefined<T extends object>(object: T): T {
  for (const key of Object.keys(object))
    if (Reflect.get(object, key) === undefined) Reflect.deleteProperty(object, key);
  return object;
}
