import { toAppError } from "./errors.ts";

type TextSink = { write(text: string): Promise<void> };

/**
 * Prints what went wrong for a person, without a stack, and returns the exit code: 2 for a wrong command line, else 1.
 * Text that came from outside can't move the cursor or colour the terminal.
 */
export async function reportError(cause: unknown, stderr: TextSink): Promise<number> {
  const error = toAppError(cause);
  const prefix = /^error\b/i.test(error.message) ? "" : error.code === "bug" ? "internal error: " : "error: ";
  const hint = error.hint === undefined ? "" : `\n${error.hint}`;
  await stderr.write(`${printable(`${prefix}${error.message}${hint}`)}\n`);
  return error.code === "usage" ? 2 : 1;
}

/** Keeps line breaks and tabs; every other control character becomes visible as `\xNN`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (char) =>
    char === "\n" || char === "\t" ? char : `\\x${(char.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`,
  );
}
