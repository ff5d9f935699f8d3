import { isRecord, listOf, parseJson, textIn } from "../util/json.ts";

/** What a server says went wrong, whatever shape it chose. `words` is everything that can be searched for a cause. */
export type Problem = { message: string; code: string; words: string };

const MOST_NESTING = 6;

/** Reads an error out of a body's text or of parsed JSON; undefined when there is none in it. */
export function readProblem(value: unknown): Problem | undefined {
  const found = find(value, 0);
  if (!found) return undefined;
  const words = typeof value === "string" ? value : JSON.stringify(value);
  return { ...found, words: words.slice(0, 20_000) };
}

/** Servers nest errors: in lists, as strings of JSON, and the provider's own one inside the gateway's. */
function find(value: unknown, depth: number): Omit<Problem, "words"> | undefined {
  if (depth > MOST_NESTING || value === null || value === undefined) return undefined;
  if (typeof value === "string") {
    if (value.trim() === "") return undefined;
    return find(parsedObject(value), depth + 1) ?? { message: value.trim(), code: "" };
  }
  if (Array.isArray(value)) return find(value[0], depth + 1);
  if (!isRecord(value)) return undefined;
  const { error, errors, detail, message, msg, code, type, metadata } = value;
  const inner = find(error, depth + 1) ?? find(message, depth + 1) ?? find(msg, depth + 1);
  const found = inner ?? find(detail, depth + 1) ?? find(listOf(errors)[0], depth + 1);
  if (!found) return undefined;
  const own = textIn(code) ?? textIn(type) ?? (typeof code === "number" ? String(code) : "");
  const behind = isRecord(metadata) ? find(metadata["raw"], depth + 1)?.message : undefined;
  const isNew = behind !== undefined && !found.message.includes(behind);
  return { message: isNew ? `${found.message}: ${behind}` : found.message, code: found.code || own };
}

function parsedObject(text: string): unknown {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return typeof value === "object" ? value : undefined;
}

const OVERFLOW = new RegExp(
  [
    "context_length_exceeded",
    "exceed_context_size",
    "model_context_window_exceeded",
    "maximum context length",
    "maximum prompt length",
    "exceeds? (the )?(available |model'?s? |maximum )?(context|token limit|max length)",
    "exceeds? the maximum number of tokens",
    "exceeded model token limit",
    "context (size|length|window|limit) (has been |was |is )?(exceeded|overflow)",
    "does not fit (in|into) (the )?context",
    "greater than the context length",
    "model is loaded with context length of only",
    "reached context length",
    "(larger|longer) than the context (length|size|window)",
    "exceeds? (the )?context (length|size|window|limit)",
    "prompt is too long",
    "input is too long",
    "too many (input )?tokens",
    "range of input length should be",
    "reduce the length of the (messages|prompt|input)",
    "reduce your message size",
    "model's context length is only",
    "exceed context limit",
  ].join("|"),
  "i",
);

/** Does the server say, in any vendor's words, that the request is larger than the context window? */
export function isOverflow({ words }: Problem): boolean {
  return OVERFLOW.test(words);
}

const OUT_OF_QUOTA =
  /insufficient_quota|usage_limit_reached|usage_not_included|billing_(hard_limit|not_active)|insufficient.{0,10}(balance|credit|fund)|credit balance is too low|payment.required|exceeded_current_quota/i;

/** Used up for good: waiting does not help, paying does. */
export function isOutOfQuota({ words }: Problem): boolean {
  return OUT_OF_QUOTA.test(words);
}

/** A server that was started without something it is asked for; some say so with the status of a passing failure. */
export function isSetUpWithoutIt({ words }: Problem): boolean {
  return /requires --jinja/i.test(words);
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** The wait that a message asks for in words, in ms: "try again in 1.5s", "retry in 20 ms", `"retryDelay": "33s"`. */
export function waitInWords(words: string): number | undefined {
  const match =
    /(?:again|retry) (?:in|after)(?: about)? ([\d.]+) ?(ms|milliseconds?|s|sec|m|min|h|hour)?|"retryDelay":\s*"([\d.]+)s"/i.exec(
      words,
    );
  if (!match) return undefined;
  const amount = Number(match[1] ?? match[3]);
  if (!Number.isFinite(amount)) return undefined;
  return Math.round(amount * unitMs((match[2] ?? "s").toLowerCase()));
}

function unitMs(unit: string): number {
  if (unit.startsWith("ms") || unit.startsWith("milli")) return UNIT_MS.ms;
  if (unit.startsWith("m")) return UNIT_MS.m;
  return unit.startsWith("h") ? UNIT_MS.h : UNIT_MS.s;
}
