import { type ReviewTarget, reviewPrompt } from "./review.ts";

/** Asks the model to write AGENTS.md. */
export const INIT_PROMPT = `Write a file AGENTS.md in this folder that tells a coding agent how to work here. Look at the repository first: what it is made of, how it is built, run and tested, and how its code is written. Then write at most 60 lines in Markdown: the commands for building, linting and testing (also a single test), how the code is laid out, conventions that differ from what is usual, and anything that went wrong or is easy to get wrong. Leave out what any reader sees at once, and invent nothing.`;

/** Asks the model to look for defects in the uncommitted changes, or in what `text` names, within a conversation. */
export function reviewRequest(text: string): string {
  return reviewOf(text === "" ? { kind: "uncommitted" } : { kind: "custom", prompt: text });
}

export function reviewOf(target: ReviewTarget): string {
  return `${reviewPrompt(target)}\n\n${LOOK_ONLY}`;
}

const LOOK_ONLY =
  "Change nothing. List only real defects that the change brings in, the worst first, each with its file and line, when it goes wrong, and why. Say so when there are none.";
