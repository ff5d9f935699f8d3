import { existsSync } from "node:fs";
import { join } from "node:path";
import { reviewPrompt } from "../../../core/review.ts";
import type { Port } from "../port.ts";

/** Lets the model write AGENTS.md. */
export function init(port: Port): void {
  if (existsSync(join(port.cwd, "AGENTS.md"))) {
    port.notice({ level: "warning", text: "AGENTS.md exists already; /init changes nothing." });
    return;
  }
  port.turns.start({ text: INIT, images: [] });
}

const INIT = `Write a file AGENTS.md in this folder that tells a coding agent how to work here. Look at the repository first: what it is made of, how it is built, run and tested, and how its code is written. Then write at most 60 lines in Markdown: the commands for building, linting and testing (also a single test), how the code is laid out, conventions that differ from what is usual, and anything that went wrong or is easy to get wrong. Leave out what any reader sees at once, and invent nothing.`;

/** Lets the model review the uncommitted changes, or what \`text\` says. */
export function review(port: Port, text: string): void {
  const target =
    text === "" ? ({ kind: "uncommitted" } as const) : ({ kind: "custom", prompt: text } as const);
  port.turns.start({ text: `${reviewPrompt(target)}\n\n${LOOK_ONLY}`, images: [] });
}

const LOOK_ONLY =
  "Change nothing. List only real defects that the change brings in, the worst first, each with its file and line, when it goes wrong, and why. Say so when there are none.";
