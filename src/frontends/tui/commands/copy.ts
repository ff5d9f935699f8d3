import type { CommandPort } from "./types.ts";

/** Puts the last answer into the clipboard. */
export function copyAnswer(port: CommandPort): void {
  const answer = port.transcript.lastAnswer;
  if (answer === undefined) {
    port.hint("nothing to copy yet");
    return;
  }
  port.hint(port.copy(answer) ? "copied the last answer" : "no program to set the clipboard was found");
}
