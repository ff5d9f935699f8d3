import { shownCommand } from "../../../util/shown-command.ts";
import { durationText } from "../view/duration.ts";
import type { CommandPort } from "./types.ts";

/** Commands that run in the background. */
export function listBackground(port: CommandPort): void {
  const running = port.conversation.opened?.user.background() ?? [];
  const rows = running.map(
    ({ id, command, startedAt }) =>
      `${id}  ${durationText(Date.now() - startedAt)}  ${shownCommand(command)}`,
  );
  const text = rows.length === 0 ? "Nothing runs in the background." : rows.join("\n");
  port.notice({
    level: "info",
    text,
    ...(rows.length === 0 ? {} : { hint: "/stop ends all of them, /stop ID one" }),
  });
}

/** Ends one command in the background, or all of them. */
export async function stopBackground(port: CommandPort, id: string): Promise<void> {
  const user = port.conversation.opened?.user;
  const running = user?.background() ?? [];
  const wanted = id === "" ? running : running.filter((one) => String(one.id) === id);
  await Promise.all(wanted.map((one) => user?.stop(one.id)));
  const text =
    wanted.length === 0 ? `Nothing to stop${id === "" ? "" : ` under ${id}`}.` : `Stopped ${wanted.length}.`;
  port.notice({ level: "info", text });
}
