import type { CommandPort } from "./types.ts";

/** Lets the user choose an earlier conversation; undefined when none was chosen. */
export async function chooseThread(port: CommandPort, isAll: boolean): Promise<string | undefined> {
  const { config, cwd, conversation } = port;
  if (!config) return undefined;
  const { pickSession } = await import("../prompts/pickers/session.ts");
  const place = { home: config.home, cwd, isAll, current: conversation.opened?.session.id, now: Date.now() };
  return await port.ask((asker) => pickSession(asker, place));
}
