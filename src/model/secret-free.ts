import { AppError, toAppError } from "../util/errors.ts";
import type { Endpoint } from "./types.ts";

/** Of headers, and of parameters in the address. */
export const SECRET_NAME = /key|token|secret|auth|cookie|password|signature/i;
/** Shorter values are words that a message may hold by chance. */
const SHORTEST_SECRET = 8;

/** The same values; an error that repeats a key of the endpoint loses it before anybody shows or records it. */
export async function* secretFree<T>(values: AsyncIterable<T>, endpoint: Endpoint): AsyncGenerator<T, void> {
  try {
    yield* values;
  } catch (cause) {
    throw withoutSecrets(toAppError(cause), endpoint);
  }
}

/** The text without the key: wherever it stands, or, as a short one may be a word, only where a key is spoken of. */
export function withoutKey(text: string, apiKey: string | undefined): string {
  if (!apiKey) return text;
  if (apiKey.length >= SHORTEST_SECRET) return text.replaceAll(apiKey, "[key]");
  const named = new RegExp(`((?:key|token|bearer|provided)\\W{1,5})${RegExp.escape(apiKey)}(?!\\w)`, "gi");
  return text.replace(named, "$1[key]");
}

function withoutSecrets(error: AppError, endpoint: Endpoint): AppError {
  const { code, retryable, status, hint, retryAfterMs } = error;
  const message = secretsOf(endpoint).reduce(
    (text, secret) => text.replaceAll(secret, "[key]"),
    error.message,
  );
  if (message === error.message) return error;
  // Without the cause, which says the same.
  return new AppError(code, message, { retryable, status, hint, retryAfterMs });
}

function secretsOf({ apiKey, headers, query }: Endpoint): string[] {
  const values = [...Object.entries(headers), ...Object.entries(query)].flatMap(([name, value]) =>
    SECRET_NAME.test(name) ? [value, value.replace(/^\w+ /, "")] : [],
  );
  return [apiKey ?? "", ...values].filter((value) => value.length >= SHORTEST_SECRET);
}
