import type { Override } from "../../../config/overrides.ts";
import { renameSession } from "../../../core/choices/sessions.ts";
import type { ThreadChoice } from "../../../core/session/thread.ts";
import type { Port } from "../port.ts";
import { chooseThread } from "./choose-thread.ts";
import type { CommandPort } from "./types.ts";

/** A new conversation; `prompt` is its first message. */
export async function startNew(port: CommandPort, prompt: string): Promise<void> {
  await port.reopen({ kind: "new" });
  if (prompt !== "") port.send({ text: prompt, images: [] });
}

/** The same on an empty screen. */
export async function clear(port: Port): Promise<void> {
  port.clearScreen();
  await port.reopen({ kind: "new" });
}

export async function resume(port: CommandPort, wanted: string): Promise<void> {
  const id = wanted || (await chooseThread(port, false));
  if (id !== undefined) await port.reopen({ kind: "resume", id });
}

/** Goes on in the same conversation under other settings. */
export async function continueWith(
  port: CommandPort,
  overrides: readonly Override[],
  env: CommandPort["env"] = {},
): Promise<void> {
  const opened = port.conversation.opened;
  const hasBegun = port.progress.turnCount > 0 || (opened?.history.length ?? 0) > 0;
  const thread: ThreadChoice =
    opened && hasBegun ? { kind: "resume", id: opened.session.id } : { kind: "new" };
  await port.reopen(thread, overrides, env);
}

export async function fork(port: CommandPort, prompt: string): Promise<void> {
  const id = port.conversation.opened?.session.id;
  if (id === undefined || port.progress.turnCount === 0) {
    port.notice({ level: "warning", text: "Nothing has been said yet, so there is nothing to copy." });
    return;
  }
  await port.reopen({ kind: "fork", id });
  if (prompt !== "") port.send({ text: prompt, images: [] });
}

export async function compact(port: CommandPort): Promise<void> {
  const session = port.conversation.opened?.session;
  if (session) await port.hold((signal) => session.compact(signal));
}

export async function rename(port: CommandPort, title: string): Promise<void> {
  const { config, conversation } = port;
  if (title === "" || !config || !conversation.opened) {
    port.notice({ level: "warning", text: "Give the name with the command: /rename NAME" });
    return;
  }
  await renameSession(config.home, conversation.opened.session.id, title);
  port.notice({ level: "info", text: `This conversation is called "${title}" now.` });
}
