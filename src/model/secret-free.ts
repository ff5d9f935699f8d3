import { AppError, toAppError } from "../util/errors.ts";
import type { Endpoint } from "./types.ts";

/** Of headers, and of parameters in the address. */
const SECRET_NAME = /key|token|secret|auth|cookie|password|signature/i;
/** Shorter values are words that a message may hold by chance. */
export const SHORTEST_SECRET = 8;

/** The same values; an error that repeats a key of the endpoint loses it before anybody shows or records it. */
export async function* secretFree<T>(values: AsyncIterable<T>, endpoint: Endpoint): AsyncGenerator<T, void> {
  try {
    yield* values;
  } catch (cause) {
    throw withoutSecrets(toAppError(cause), endpoint);
  }
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
