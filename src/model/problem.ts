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

/** How servers word it that a request is larger than the context window. */
const OVERFLOW = new RegExp(
  [
    "context_length_exceeded",
    "exceed_context_size",
    "model_context_window_exceeded",
    "ContextWindowExceeded",
    "model_max_prompt_tokens_exceeded",
    "tokens_limit_reached",
    "request_too_large",
    "context[ _]overflow",
    "maximum context length",
    "maximum prompt length",
    "exceed(s|ed|ing)? ((the|its|model'?s?|maximum|max|allowed|available|input) ){0,5}(context|token limit|prompt length|input (length|token)|message tokens|number of (input )?tokens)",
    "(tokens|prompt|input) exceeds? (the )?max(imum)? length",
    "token count of [\\d,]+ exceeds the limit",
    "exceeded model token limit",
    "context (size|length|window|limit) (has been |was |is )?(exceeds?|exceeded|overflow)",
    "does not fit (in|into) (the )?context",
    "model is loaded with context length of only",
    "model's context length is only",
    "reached context length",
    "(larger|longer|greater) than ((the|model'?s?|maximum|max|allowed) ){0,4}(context|model length|input length|prompt length|max_(seq|model)_len)",
    "less than (max_seq_len|max_model_len)",
    "`inputs` (tokens|must have less than)",
    "max_tokens must be at least 1, got -",
    "(prompt|input) (is )?too long",
    "too many (input )?tokens",
    "tokens must be reduced",
    "range of input length should be",
    "reduce the length of the (messages|prompt|input)",
    "reduce your message size",
    "超(长|过.{0,20}(长度|上下文))",
  ].join("|"),
  "i",
);
/** Too many tokens for now, not for the window. */
const THROTTLED = /throttl|please wait before/i;

/** Does the server say, in any vendor's words, that the request is larger than the context window? */
export function isOverflow({ words }: Problem): boolean {
  return OVERFLOW.test(words) && !THROTTLED.test(words);
}

/** A request that is larger than what the account may send in a minute: it would be refused after any wait. */
export function isTooLargeForLimit({ words }: Problem): boolean {
  return /request too large|tokens must be reduced/i.test(words);
}

const OUT_OF_QUOTA =
  /insufficient_quota|usage_limit_reached|usage_not_included|billing_(hard_limit|not_active)|insufficient.{0,10}(balance|credit|fund)|credit balance is too low|payment.required|exceeded_current_quota|usage limit reached|limit will reset at/i;

/** Used up for good: waiting does not help, paying does. */
export function isOutOfQuota({ words }: Problem): boolean {
  return OUT_OF_QUOTA.test(words);
}

/** A server that was started without something it is asked for; some say so with the status of a passing failure. */
export function isSetUpWithoutIt({ words }: Problem): boolean {
  return /requires --jinja/i.test(words);
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const WAIT =
  /(?:(?:again|retry) (?:in|after)(?: about)? |"retryDelay":\s*")((?:[\d.]+ ?(?:ms|milliseconds?|s|sec|seconds?|m|min|minutes?|h|hours?)?(?![a-z]) ?)+)/i;

/**
 * The wait that a message asks for in words, in ms: "try again in 1.5s", "retry in 20 ms", "again in 17m40.2s",
 * `"retryDelay": "33s"`.
 */
export function waitInWords(words: string): number | undefined {
  const [, text] = WAIT.exec(words) ?? [];
  const parts = [...(text ?? "").matchAll(/(\d+(?:\.\d+)?) ?([a-z]*)/gi)];
  if (parts.length === 0) return undefined;
  const total = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitMs(unit ?? ""), 0);
  return Math.round(total);
}

/** The moment at which a server says that its limit is lifted (ms since the epoch), where it names one in its own field. */
export function resetTime(text: string): number | undefined {
  const digits = /(?:^|ratelimit-reset"?:\s*"?)(\d{13}|\d{10})(?!\d)/i.exec(text)?.[1];
  if (digits === undefined) return undefined;
  return Number(digits) * (digits.length === 10 ? 1_000 : 1);
}

function unitMs(unit: string): number {
  const name = unit.toLowerCase();
  if (name.startsWith("ms") || name.startsWith("milli")) return UNIT_MS.ms;
  if (name.startsWith("m")) return UNIT_MS.m;
  return name.startsWith("h") ? UNIT_MS.h : UNIT_MS.s;
}

/** What is shown of a server's words, in characters. */
export const MOST_SHOWN = 1_500;

/** Text of a server, short enough for a message and without control characters. */
export function clip(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const clean = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ").trim();
  return clean.length > MOST_SHOWN ? `${clean.slice(0, MOST_SHOWN)}…` : clean;
}
