import type { Port } from "../port.ts";
import { ask } from "./ask.ts";

/** Lets the user choose an earlier conversation; undefined when none was chosen. */
export async function chooseThread(port: Port, isAll: boolean): Promise<string | undefined> {
  const { config, cwd, conversation } = port;
  if (!config) return undefined;
  const { pickSession } = await import("../prompts/pickers/session.ts");
  const place = { home: config.home, cwd, isAll, current: conversation.opened?.session.id, now: Date.now() };
  return await ask(port, (asker) => pickSession(asker, place));
}
