import type { ToolInput } from "../protocol/items.ts";
import { isRecord, type Json, parseJson } from "../util/json.ts";
import { repairJson } from "../util/json-repair.ts";

/** How much of arguments that are not JSON is shown to the model again. */
const BROKEN_SHOWN = 500;

/** The object that the arguments stand for; undefined when they are broken. Encoding them twice is a common slip. */
function argumentObject(raw: string): Json | undefined {
  if (raw.trim() === "") return {};
  const value = parseJson(raw) ?? repaired(raw);
  if (isRecord(value)) return value;
  const inner = typeof value === "string" ? (parseJson(value) ?? repaired(value)) : undefined;
  return isRecord(inner) ? inner : undefined;
}

/** What the call was run with, where slips had one reading. A text that may have lost its end is shown as it is. */
function repaired(raw: string): unknown {
  const read = repairJson(raw);
  return read?.isGuess ? undefined : read?.value;
}

/** What a model wrote as arguments, as it enters history: "" counts as {}, and twice-encoded objects are unwrapped. */
function wholeArguments(raw: string): string {
  if (raw.trim() === "") return "{}";
  const value = parseJson(raw);
  return typeof value === "string" && isRecord(parseJson(value)) ? value : raw;
}

/** The input of a call that came as JSON; the tools named in `freeform` take plain text inside one field. */
export function toolInput(name: string, raw: string, freeform: ReadonlySet<string>): ToolInput {
  if (!freeform.has(name)) return { kind: "json", raw: wholeArguments(raw) };
  return { kind: "text", raw: freeText(raw) };
}

/**
 * The arguments as any server accepts them in a history: the text of one JSON object. Several servers refuse every later
 * request of a session that holds a broken one.
 */
export function replayArguments(input: ToolInput, compact: boolean): string {
  const isPlain = input.kind === "json" && !compact && isRecord(parseJson(input.raw));
  return isPlain ? input.raw : JSON.stringify(replayObject(input));
}

/** The same as an object. */
export function replayObject(input: ToolInput): Json {
  if (input.kind === "text") return { input: input.raw };
  return argumentObject(input.raw) ?? { invalid_json: input.raw.slice(0, BROKEN_SHOWN) };
}

function freeText(raw: string): string {
  const value = parseJson(raw);
  if (typeof value === "string") return value;
  if (!isRecord(value)) return raw;
  const { input } = value;
  if (typeof input === "string") return input;
  const [only, ...more] = Object.values(value);
  return typeof only === "string" && more.length === 0 ? only : raw;
}
