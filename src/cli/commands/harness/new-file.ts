import { existsSync } from "node:fs";
import { join } from "node:path";
import { HARNESS_ID } from "../../../harness/load.ts";
import { AppError } from "../../../util/errors.ts";

/** The path for a new harness of the user's. Throws AppError "usage" for an id that can't be one, "config" for a taken one. */
export function newHarnessFile(id: string, home: string): string {
  if (!HARNESS_ID.test(id))
    throw new AppError("usage", `wanted an id of letters, digits, ., _ and -, found "${id}"`);
  const file = join(home, "harnesses", `${id}.yaml`);
  if (!existsSync(file)) return file;
  throw new AppError("config", `${file} exists already`, {
    hint: "choose another id, or edit or remove that file",
  });
}
