import { createSessionStore } from "../../sessions/store.ts";

/** An earlier conversation. Times in ms since the epoch. */
export type SessionChoice = { id: string; name: string; cwd: string; updatedAt: number; model?: string };

const MOST = 200;

/** Earlier conversations, the newest first; only those of `cwd` when it is given. */
export async function sessionsToChoose(home: string, cwd: string | undefined): Promise<SessionChoice[]> {
  const found = await createSessionStore({ home }).list({
    limit: MOST,
    ...(cwd === undefined ? {} : { cwd }),
  });
  return found.map(({ id, title, preview, cwd: folder, updatedAt, model }) => ({
    id,
    name: (title ?? preview ?? id).replace(/\s+/g, " ").trim(),
    cwd: folder,
    updatedAt: Date.parse(updatedAt),
    ...(model === undefined ? {} : { model }),
  }));
}

/** Removes the record of a conversation that is not open. Throws AppError "session.not_found", "session.locked". */
export async function removeSession(home: string, id: string): Promise<void> {
  await createSessionStore({ home }).remove(id);
}

/** Gives an earlier conversation a name. */
export async function renameSession(home: string, id: string, name: string): Promise<void> {
  await createSessionStore({ home }).rename(id, name);
}
