import type { Port } from "../port.ts";

/** A new conversation; `prompt` is its first message. */
export async function startNew(port: Port, prompt: string): Promise<void> {
  await port.reopen({ kind: "new" });
  if (prompt !== "") port.turns.start({ text: prompt, images: [] });
}

export async function clear(port: Port): Promise<void> {
  port.clearScreen();
  await port.reopen({ kind: "new" });
}

export async function resume(port: Port, id: string): Promise<void> {
  if (id === "") {
    port.notice({ level: "warning", text: "Which one? /resume ID, or a name." });
    return;
  }
  await port.reopen({ kind: "resume", id });
}

export async function fork(port: Port, prompt: string): Promise<void> {
  const id = port.conversation.opened?.session.id;
  if (id === undefined || port.progress.turnCount === 0) {
    port.notice({ level: "warning", text: "Nothing was said yet, so there is nothing to copy." });
    return;
  }
  await port.reopen({ kind: "fork", id });
  if (prompt !== "") port.turns.start({ text: prompt, images: [] });
}

export async function compact(port: Port): Promise<void> {
  const session = port.conversation.opened?.session;
  if (session) await port.turns.hold((signal) => session.compact(signal));
}

export async function rename(port: Port, title: string): Promise<void> {
  const { config, conversation } = port;
  if (title === "" || !config || !conversation.opened) {
    port.notice({ level: "warning", text: "Give the name with the command: /rename NAME" });
    return;
  }
  const { createSessionStore } = await import("../../../sessions/store.ts");
  await createSessionStore({ home: config.home }).rename(conversation.opened.session.id, title);
  port.notice({ level: "info", text: `This conversation is called "${title}" now.` });
}
