import { existsSync } from "node:fs";
import { join } from "node:path";
import { INIT_PROMPT, reviewRequest } from "../../../core/task-prompts.ts";
import type { Port } from "../port.ts";

/** Lets the model write AGENTS.md. */
export function init(port: Port): void {
  if (existsSync(join(port.cwd, "AGENTS.md"))) {
    port.notice({ level: "warning", text: "AGENTS.md exists already; /init changes nothing." });
    return;
  }
  port.turns.start({ text: INIT_PROMPT, images: [] });
}

/** Lets the model review the uncommitted changes, or what \`text\` says. */
export function review(port: Port, text: string): void {
  port.turns.start({ text: reviewRequest(text), images: [] });
}
