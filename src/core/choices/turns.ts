import { findRollout } from "../../sessions/find.ts";
import { replayFile } from "../../sessions/replay.ts";

/** What the user began each turn of a conversation with, the oldest first. Throws AppError "session.not_found". */
export async function turnsToChoose(home: string, id: string): Promise<string[]> {
  const file = findRollout(home, id);
  return (await replayFile(file.path, file)).turns;
}
