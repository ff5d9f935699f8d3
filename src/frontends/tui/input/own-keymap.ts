import { AppError } from "../../../util/errors.ts";
import { type Keymap, keymapWith } from "./keymap.ts";

/** The keys with the user's own in their place. Throws AppError "config" when those can't be meant. */
export async function ownKeymap(own: unknown): Promise<Keymap> {
  if (own === undefined) return keymapWith(undefined);
  const { keymapProblems } = await import("./keymap-problems.ts");
  const problems = keymapProblems(own);
  if (problems.length === 0) return keymapWith(own);
  throw new AppError("config", problems.join("; "), {
    hint: "a key has one meaning in a context: give the other action another key, or [] for none",
  });
}
