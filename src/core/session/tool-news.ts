import { takeWakeups } from "../../tools/cron/wakeups.ts";
import { taskEnds } from "../../tools/shell/task-ends.ts";
import type { ToolMemory } from "../../tools/types.ts";
import { unfinished } from "../../tools/unfinished.ts";
import type { SessionParts } from "./session-parts.ts";

/** What the tools of a session have to say between two requests. */
export function toolNews(
  memory: ToolMemory,
): Pick<SessionParts, "takeTaskEnds" | "takeWakeups" | "unfinished"> {
  return {
    takeTaskEnds: () => memory.get(taskEnds).splice(0),
    takeWakeups: (now) => takeWakeups(memory, now),
    unfinished: (usedTokens, signal) => unfinished(memory, usedTokens, signal),
  };
}
