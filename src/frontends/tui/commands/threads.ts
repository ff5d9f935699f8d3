import type { Override } from "../../../config/overrides.ts";
import { listThreads, renameThread } from "../../../core/thread-list.ts";
import { ageOf } from "../popup/history.ts";
import type { Port } from "../port.ts";
import { pick } from "./pick.ts";

/** A new conversation; `prompt` is its first message. */
export async function startNew(port: Port, prompt: string): Promise<void> {
  await port.reopen({ kind: "new" });
  if (prompt !== "") port.turns.start({ text: prompt, images: [] });
}

export async function clear(port: Port): Promise<void> {
  port.clearScreen();
  await port.reopen({ kind: "new" });
}

export async function resume(port: Port, wanted: string): Promise<void> {
  const id = wanted || (await pickThread(port, false));
  if (id !== undefined) await port.reopen({ kind: "resume", id });
}

/** Lets the user choose an earlier conversation; undefined when there is none, or none was chosen. */
export async function pickThread(port: Port, isOfAll: boolean): Promise<string | undefined> {
  const { config, cwd } = port;
  if (!config) return undefined;
  const current = port.conversation.opened?.session.id;
  const found = await listThreads(config.home, {
    limit: 100,
    ...(isOfAll ? {} : { cwd }),
  });
  const items = found
    .filter(({ id }) => id !== current)
    .map(({ id, title, preview, updatedAt, cwd: folder, model }) => ({
      value: id,
      label: (title ?? preview ?? id).replace(/\s+/g, " ").slice(0, 60),
      about: [model, isOfAll ? folder : undefined].filter((one) => one !== undefined).join(" · "),
      note: ageOf(Date.now() - Date.parse(updatedAt)),
    }));
  if (items.length === 0) {
    port.notice({
      level: "info",
      text: isOfAll
        ? "There is no earlier conversation."
        : "There is no earlier conversation of this folder.",
    });
    return undefined;
  }
  return await pick(port, { title: "Continue which conversation?", items, isLast: true });
}

/** Goes on in the same conversation under other settings. */
export async function continueWith(port: Port, overrides: readonly Override[]): Promise<void> {
  const id = port.conversation.opened?.session.id;
  const hasBegun =
    id !== undefined && (port.progress.turnCount > 0 || port.conversation.opened?.history.length !== 0);
  await port.reopen(hasBegun ? { kind: "resume", id } : { kind: "new" }, overrides);
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
  await renameThread(config.home, conversation.opened.session.id, title);
  port.notice({ level: "info", text: `This conversation is called "${title}" now.` });
}
