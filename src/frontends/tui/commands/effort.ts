import { EFFORTS } from "../../../protocol/settings.ts";
import type { Port } from "../port.ts";

/** Less or more reasoning, from the next request on. */
export function changeEffort(port: Port, by: 1 | -1): void {
  const opened = port.conversation.opened;
  if (!opened) return;
  const at = EFFORTS.indexOf(opened.settings.effort ?? "medium");
  const effort = EFFORTS[Math.max(0, Math.min(EFFORTS.length - 1, at + by))] ?? "medium";
  opened.user.setEffort(effort);
  port.change({ hint: `reasoning effort: ${effort}` });
}
