/** A JSON object from outside: nothing is known of its values until they are looked at. */
export type Json = Readonly<Record<string, unknown>>;

/** An object of JSON: neither null nor a list. */
export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object itself, or an empty one for anything else. */
export function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** The list itself, or an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The string when it holds something; servers send "" and null for "not there". */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Beyond it nothing is counted; sums of such numbers stay whole. */
const MOST = 1e12;

/** A count, whole and not negative; 0 for anything that is not a number. */
export function countOf(value: unknown): number {
  if (typeof value !== "number" || !(value > 0)) return 0;
  return Math.min(Math.round(value), MOST);
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
