import { stat } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "./define.ts";
import { absolutePath, homeOf, locate, touched } from "./files/location.ts";
import { missingPathText } from "./files/near-paths.ts";
import { numberedRegion } from "./files/numbered.ts";
import { knowledge } from "./files/read-state.ts";
import { replaceText } from "./files/replace.ts";
import { type NewText, type OldFile, prepareTextChange } from "./files/text-change.ts";
import { splitLines } from "./files/text-lines.ts";
import { readingCall, textResult } from "./results.ts";

const EditInput = z.looseObject({
  path: z.string(),
  oldString: z.string(),
  newString: z.string(),
  replaceAll: z.boolean().optional(),
  /** Refuse a file that the model has not read. Off unless set to true. */
  requireRead: z.boolean().optional(),
});
type EditInput = z.infer<typeof EditInput>;

const SHOWN_AROUND = 3;
const MAX_SHOWN = 20;

/** Native "edit": replaces a text that stands in a file once, or everywhere. */
export const edit = defineTool<EditInput>({
  name: "edit",
  schema: EditInput,
  parallel: false,
  async prepare(input, ctx) {
    const path = absolutePath(input.path, ctx.cwd, homeOf(ctx));
    const location = await locate(path);
    const isMissing = (await stat(location.target).catch(() => undefined)) === undefined;
    // An edit of nothing makes the file; of anything else it is a wrong path.
    if (isMissing && input.oldString !== "")
      return readingCall(touched(location), async (run) =>
        textResult(false, await missingPathText(path, run.cwd, run.signal), {
          case: "missing",
          path,
          cwd: run.cwd,
        }),
      );
    return prepareTextChange(path, (old) => newText(path, input, old), ctx);
  },
});

function newText(path: string, input: EditInput, old: OldFile): NewText {
  const { oldString, newString, replaceAll: all = false } = input;
  const before = old.text ?? "";
  const refuse = (name: string, problem: string) => ({ problem, fields: { case: name, path, oldString } });
  if (oldString === "" && before !== "")
    return refuse("not_empty", `${path} is not empty, so the text to replace can't be empty`);
  if (oldString === newString) return refuse("same", "the new text is the same as the text to replace");
  const known = knowledge(old.memory, old.realPath, before);
  if (known === "stale")
    return refuse("stale", `${path} has changed since it was read; read it again before editing it`);
  if (oldString === "") {
    const fields = { case: "created", path, replacements: 1, line: 1 };
    return { text: newString, answer: `Created ${path}`, fields };
  }
  const replaced = replaceText(before, { wanted: oldString, replacement: newString, all, path });
  if ("problem" in replaced) return refuse(replaced.case, replaced.problem);
  if (known === "unread" && input.requireRead && old.text !== undefined)
    return refuse("unread", `${path} has not been read yet; read it before editing it`);
  const { text, lines, firstLine, lastLine } = replaced;
  const snippet = snippetOf(text, firstLine, lastLine);
  const times = lines.length === 1 ? "1 replacement" : `${lines.length} replacements`;
  const where = lines.length === 1 ? `line ${firstLine}` : `lines ${lines.slice(0, 10).join(", ")}`;
  return {
    text,
    answer: `Edited ${path} (${times}, ${where}):\n${snippet}`,
    fields: {
      case: all ? "replaced_all" : "replaced",
      path,
      replacements: lines.length,
      line: firstLine,
      snippet,
    },
  };
}

/** The first replaced place and what is around it. */
function snippetOf(text: string, firstLine: number, lastLine: number): string {
  const { texts } = splitLines(text);
  const from = Math.max(1, firstLine - SHOWN_AROUND);
  const to = Math.min(texts.length, lastLine + SHOWN_AROUND, from + MAX_SHOWN - 1);
  return numberedRegion(texts, from, to);
}
