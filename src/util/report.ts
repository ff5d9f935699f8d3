import { toAppError } from "./errors.ts";
import { terminalSafe } from "./untrusted-text.ts";

type TextSink = { write(text: string): Promise<void> };

/** Prints what went wrong for a person, without a stack, and returns the exit code: 2 for a wrong command line, else 1. */
export async function reportError(cause: unknown, stderr: TextSink): Promise<number> {
  const error = toAppError(cause);
  const prefix = /^error\b/i.test(error.message) ? "" : error.code === "bug" ? "internal error: " : "error: ";
  const hint = error.hint === undefined ? "" : `\n${error.hint}`;
  await stderr.write(`${terminalSafe(`${prefix}${error.message}${hint}`)}\n`);
  return error.code === "usage" ? 2 : 1;
}
