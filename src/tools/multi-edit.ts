import { stat } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "./define.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { knowledge } from "./files/read-state.ts";
import { replaceText } from "./files/replace.ts";
import { type NewText, type OldFile, prepareTextChange } from "./files/text-change.ts";
import { readingCall, textResult } from "./results.ts";

const MultiEditInput = z.looseObject({
  path: z.string(),
  edits: z.array(z.looseObject({ oldText: z.string(), newText: z.string() })).min(1),
});
type MultiEditInput = z.infer<typeof MultiEditInput>;

/**
 * Native "multi_edit": replaces several texts of one file, each of which stands there once; all of them or none. Each edit
 * is looked for in what the one before it has made.
 */
export const multiEdit = defineTool<MultiEditInput>({
  name: "multi_edit",
  schema: MultiEditInput,
  parallel: false,
  async prepare(input, ctx) {
    const path = absolutePath(input.path, ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    if ((await stat(location.target).catch(() => undefined)) === undefined)
      return readingCall(touched(location), async (run) =>
        textResult(false, await missingPathText(path, run.cwd, run.signal), { case: "missing", path }),
      );
    return prepareTextChange(path, (old) => newText(path, input, old), ctx);
  },
});

function newText(path: string, { edits }: MultiEditInput, old: OldFile): NewText {
  const before = old.text ?? "";
  const refuse = (name: string, problem: string, fields = {}) => ({
    problem,
    fields: { case: name, path, ...fields },
  });
  if (knowledge(old.memory, old.realPath, before) === "stale")
    return refuse("stale", `${path} has changed since it was read; read it again before editing it`);
  let text = before;
  for (const [at, { oldText, newText: replacement }] of edits.entries()) {
    const where = edits.length === 1 ? "" : `edit ${at + 1} of ${edits.length}: `;
    if (oldText === "") return refuse("empty", `${where}oldText is empty; nothing was changed`);
    const replaced = replaceText(text, { wanted: oldText, replacement, all: false, path });
    if ("problem" in replaced)
      return refuse(replaced.case, where + replaced.problem, { edit: at, oldString: oldText });
    text = replaced.text;
  }
  if (text === before) return refuse("same", `the edits change nothing in ${path}`);
  const fields = { case: "replaced", path, replacements: edits.length };
  return { text, answer: `Edited ${path} (${edits.length} replaced)`, fields };
}
