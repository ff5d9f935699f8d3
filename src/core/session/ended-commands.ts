import { shownCommand } from "../../util/shown-command.ts";
import type { OpenedSession } from "../runtime.ts";
import type { BackgroundCommand } from "./user-side.ts";

/**
 * What runs in the background ends with the session that has started it. Whoever opens another session in its place lets
 * the person know, and the model too, if the same conversation goes on.
 */
export function noteEnded(
  running: readonly BackgroundCommand[],
  { session, warnings }: Pick<OpenedSession, "session" | "warnings">,
  isSameConversation: boolean,
): void {
  if (running.length === 0) return;
  const list = running.map(({ id, command }) => `${id} (${shownCommand(command)})`).join(", ");
  const text = `These commands in the background were ended, as their session was closed: ${list}`;
  warnings.push(text);
  if (isSameConversation) session.tell("developer", text);
}
