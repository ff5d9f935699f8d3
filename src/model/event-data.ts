import { parseJson } from "../util/json.ts";

/** The data of the event that ends a stream. */
export const END_MARK = "[DONE]";

/**
 * What one event carries: a JSON value as a rule. Servers that leave out the blank line between events put several into
 * one, and proxies frame what is framed already. Text that is neither JSON nor the end mark is noise.
 */
export function valuesIn(data: string): unknown[] {
  if (data === END_MARK) return [END_MARK];
  const value = parseJson(data);
  if (value !== undefined) return [value];
  const lines = data.split("\n").map((line) => line.replace(/^(data:\s*)+/, "").trim());
  if (lines.length === 1 && lines[0] === data) return [];
  return lines.flatMap((line) => (line === END_MARK ? [END_MARK] : (parseJson(line) ?? [])));
}
