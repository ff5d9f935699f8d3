/** What the model reads after a turn that was stopped. */
export const ABORTED =
  "<turn_aborted>The user interrupted the last turn. Commands may have run only in part, and some may still run: look before you repeat anything.</turn_aborted>";

/** Why a turn was stopped, from the reason of its signal. */
export function abortReason(reason: unknown): "interrupted" | "shutdown" | "deadline" {
  return reason === "shutdown" || reason === "deadline" ? reason : "interrupted";
}
