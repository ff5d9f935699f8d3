import { toAppError } from "../../../util/errors.ts";
import type { Asker } from "./asker.ts";

/** What went wrong, and what to do, between two questions. */
export function sayError(asker: Asker, cause: unknown): void {
  const { message, hint } = toAppError(cause);
  asker.say(hint === undefined ? message : `${message}\n${hint}`);
}
