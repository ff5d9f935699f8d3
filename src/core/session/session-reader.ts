import type { SessionReader } from "../../tools/types.ts";
import { AppError } from "../../util/errors.ts";
import { factsOf } from "../../util/fs.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the records of earlier sessions in this folder. What was said in other folders is not for this model. */
export function sessionReader(home: string, cwd: string): SessionReader {
  return {
    async read(id) {
      if (!UUID.test(id)) return undefined;
      const [{ findRollout }, { replayFile }] = await Promise.all([
        import("../../sessions/find.ts"),
        import("../../sessions/replay.ts"),
      ]);
      try {
        const file = findRollout(home, id);
        if (!factsOf(file.path)?.isFile()) return undefined;
        const { facts, history } = await replayFile(file.path, file);
        return facts.cwd === cwd ? history : undefined;
      } catch (cause) {
        if (cause instanceof AppError) return undefined;
        throw cause;
      }
    },
  };
}
