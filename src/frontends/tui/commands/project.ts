import { existsSync } from "node:fs";
import { join } from "node:path";
import { INIT_PROMPT } from "../../../core/tasks/task-prompts.ts";
import type { CommandPort } from "./types.ts";

/** Lets the model write AGENTS.md. */
export function init(port: CommandPort): void {
  if (existsSync(join(port.cwd, "AGENTS.md"))) {
    port.notice({ level: "warning", text: "AGENTS.md exists already; /init changes nothing." });
    return;
  }
  port.send({ text: INIT_PROMPT, images: [] });
}
