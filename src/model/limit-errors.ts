import { AppError } from "../util/errors.ts";

/** The error for a request that is larger than the context window. */
export function overflow(message: string, status?: number): AppError {
  const text = /context/i.test(message)
    ? message
    : `the request does not fit into the context window: ${message}`;
  return new AppError("model.context_window", text, {
    status,
    hint: "start a new session, or compact this one",
  });
}

/** The error for an account that has used up what it may: waiting does not help. */
export function outOfQuota(message: string, status?: number): AppError {
  return new AppError("model.rejected", message, {
    status,
    hint: "check the plan and the balance of the account",
  });
}
