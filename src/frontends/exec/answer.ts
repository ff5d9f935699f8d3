import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { TurnOutcome } from "../../core/session/session.ts";
import type { Io } from "../../protocol/program.ts";
import { AppError } from "../../util/errors.ts";
import { reportError } from "../../util/report.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";

export type AnswerOptions = { file?: string; isJson: boolean };

/**
 * Hands over the final answer: to the file of -o, and to standard output unless that carries events. False when the file
 * could not be written.
 */
export async function deliverAnswer(
  outcome: TurnOutcome,
  { file, isJson }: AnswerOptions,
  io: Io,
): Promise<boolean> {
  const answer = outcome.status === "completed" ? outcome.lastMessage : undefined;
  const isSaved = file === undefined || (await save(file, answer, outcome, io));
  // On one screen the progress has shown the answer already.
  const isShown = isJson || (io.stdout.isTty && io.stderr.isTty);
  if (!isShown && answer !== undefined)
    await io.stdout.write(`${io.stdout.isTty ? terminalSafe(answer) : answer}\n`);
  return isSaved;
}

/** A failed run leaves an empty file, so that nobody takes an older answer for this one. */
async function save(
  file: string,
  answer: string | undefined,
  outcome: TurnOutcome,
  io: Io,
): Promise<boolean> {
  try {
    await writeFile(resolve(io.cwd, file), answer ?? "");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    await reportError(
      new AppError("config", `the final answer could not be written to ${file}: ${why}`),
      io.stderr,
    );
    return false;
  }
  if (answer === undefined && outcome.status === "completed") {
    await io.stderr.write(`warning: there was no final answer, so ${file} is empty\n`);
  }
  return true;
}
