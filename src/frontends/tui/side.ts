import type { ThreadChoice } from "../../core/session/thread.ts";
import type { CommandPort } from "./commands/types.ts";
import type { Threads } from "./threads.ts";

/**
 * Goes to the side conversation, a copy of the other one that is kept nowhere, and says `prompt` there; with nothing to
 * say, goes back from it, and it ends.
 */
export async function turnAside(
  port: CommandPort & { threads: Pick<Threads<unknown>, "main" | "isAside" | "turnAside" | "endSide"> },
  prompt: string,
  open: (choice: ThreadChoice) => Promise<void>,
): Promise<void> {
  const { threads } = port;
  if (threads.isAside) {
    if (prompt !== "") {
      port.send({ text: prompt, images: [] });
      return;
    }
    const text = "Back in the main conversation, which knows nothing of the side one.";
    await threads.endSide(() => port.notice({ level: "info", text }));
    return;
  }
  const { opened } = threads.main.conversation;
  const hasBegun = threads.main.progress.turnCount > 0 || (opened?.history.length ?? 0) > 0;
  threads.turnAside();
  port.notice({
    level: "info",
    text: "A side conversation: it knows what was said so far, and is not kept.",
    hint: "/side goes back and ends it",
  });
  await open(opened && hasBegun ? { kind: "fork", id: opened.session.id } : { kind: "new" });
  if (!port.conversation.opened) {
    const text = "The side conversation could not be opened.";
    await threads.endSide(() => port.notice({ level: "warning", text }));
    return;
  }
  if (prompt !== "") port.send({ text: prompt, images: [] });
}
