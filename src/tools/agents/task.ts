import { z } from "zod";

/** What an agent is told: words, or the parts that models of the Codex command line may write in their place. */
export const TaskFields = {
  message: z.string().optional(),
  items: z
    .array(
      z.looseObject({
        type: z.string().optional(),
        text: z.string().optional(),
        name: z.string().optional(),
        path: z.string().optional(),
      }),
    )
    .optional(),
};
type Task = { [field in keyof typeof TaskFields]?: z.infer<(typeof TaskFields)[field]> };

/** The words of both; empty when there are none. Pictures of this machine are named by their paths. */
export function taskText({ message = "", items = [] }: Task): string {
  const parts = items.map(({ type, text, name, path }) => {
    if (text !== undefined) return text;
    if (path === undefined) return "";
    const mark = type === "skill" ? "$" : "@";
    return name === undefined ? path : `[${mark}${name}](${path})`;
  });
  return [message, ...parts].filter((part) => part.trim() !== "").join("\n\n");
}
