import type { SessionSummary } from "../sessions/types.ts";

/** Earlier conversations, the newest first; of `cwd` only when it is given. */
export async function listThreads(
  home: string,
  filter: { cwd?: string; limit?: number },
): Promise<SessionSummary[]> {
  const { createSessionStore } = await import("../sessions/store.ts");
  return await createSessionStore({ home }).list(filter);
}

/** Gives a conversation a name under which it is found. Throws AppError "session.not_found". */
export async function renameThread(home: string, id: string, title: string): Promise<void> {
  const { createSessionStore } = await import("../sessions/store.ts");
  await createSessionStore({ home }).rename(id, title);
}
