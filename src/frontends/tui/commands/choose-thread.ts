import type { ThreadChoice } from "../../../core/session/thread.ts";
import type { TuiRequest } from "../options.ts";
import type { CommandPort } from "./types.ts";

/** Lets the user choose an earlier conversation; undefined when none was chosen. */
export async function chooseThread(port: CommandPort, isAll: boolean): Promise<string | undefined> {
  const { config, cwd, conversation } = port;
  if (!config) return undefined;
  const { pickSession } = await import("../prompts/pickers/session.ts");
  const place = { home: config.home, cwd, isAll, current: conversation.opened?.session.id, now: Date.now() };
  return await port.ask((asker) => pickSession(asker, place));
}

/** What the command line asks for; where it leaves the choice to the user and none is made, a new conversation. */
export async function firstThread(port: CommandPort, wanted: TuiRequest["thread"]): Promise<ThreadChoice> {
  if (wanted.kind !== "pick") return wanted;
  const id = await chooseThread(port, wanted.all);
  return id === undefined ? { kind: "new" } : { kind: wanted.purpose, id };
}
