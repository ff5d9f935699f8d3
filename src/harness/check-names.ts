import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import type { Harness } from "./compose.ts";
import type { HarnessFile } from "./schema.ts";

/** A list of tools in a file. `key` is what stands before it there. */
type Named = { key: string; names: readonly string[]; known: readonly string[] };

/**
 * A session passes over names of tools that there are not, since the harness that a file extends may lose some. Throws
 * AppError "config" for the first one, whose message starts with its key.
 */
export function checkToolNames(file: HarnessFile, whole: Harness, base: Harness | undefined): void {
  const own = whole.tools.map(({ name }) => name);
  const inherited = base?.tools.map(({ name }) => name);
  const lists: Named[] = [
    ...(inherited ? [{ key: "dropTools", names: file.dropTools ?? [], known: inherited }] : []),
    { key: "toolOrder", names: file.toolOrder ?? [], known: own },
    ...Object.entries(file.agents ?? {}).map(([kind, { tools = [] }]) => ({
      key: `agents.${kind}.tools`,
      names: tools,
      known: own,
    })),
    ...(file.reminders ?? []).map(({ tools }) => ({ key: "reminders.tools", names: tools, known: own })),
  ];
  for (const { key, names, known } of lists) {
    const stray = names.find((name) => !known.includes(name));
    if (stray === undefined) continue;
    const close = nearest(stray, known);
    throw new AppError("config", `${key}: there is no tool ${stray}`, {
      hint: close === undefined ? `there are: ${known.join(", ")}` : `did you mean ${close}?`,
    });
  }
}
