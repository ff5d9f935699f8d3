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

const Replacement = z.looseObject({ old: z.string(), new: z.string(), replace_all: z.boolean().optional() });
const EditInput = z.looseObject({
  path: z.string(),
  oldString: z.string().default(""),
  newString: z.string().default(""),
  replaceAll: z.boolean().optional(),
  /** In place of the three above: one replacement or several, each made in what the one before has left. */
  edits: z.union([Replacement, z.array(Replacement).min(1)]).optional(),
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
    if (isMissing && editsOf(input).some(({ oldString }) => oldString !== ""))
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

type Edit = { oldString: string; newString: string; all: boolean };

function editsOf({ oldString, newString, replaceAll = false, edits }: EditInput): Edit[] {
  if (edits === undefined) return [{ oldString, newString, all: replaceAll }];
  return [edits].flat().map((edit) => ({
    oldString: edit.old,
    newString: edit.new,
    all: edit.replace_all ?? false,
  }));
}

function newText(path: string, input: EditInput, old: OldFile): NewText {
  const before = old.text ?? "";
  const edits = editsOf(input);
  const problem = wrongEdit(path, edits, before);
  if (problem) return problem;
  const known = knowledge(old.memory, old.realPath, before);
  if (known === "stale")
    return refusal("stale", path, `${path} has changed since it was read; read it again before editing it`);
  const [first] = edits;
  if (first?.oldString === "") {
    const fields = {
      case: "created",
      path,
      replacements: 1,
      edits: 1,
      line: 1,
      ...regionOf(first.newString, 1, 1),
    };
    return { text: first.newString, answer: `Created ${path}`, fields };
  }
  const made = replaceAllOf(path, edits, before);
  if ("problem" in made) return made;
  if (known === "unread" && input.requireRead && old.text !== undefined)
    return refusal("unread", path, `${path} has not been read yet; read it before editing it`);
  return answerFor(path, edits, made);
}

function refusal(name: string, path: string, problem: string, oldString = ""): NewText & { problem: string } {
  return { problem, fields: { case: name, path, oldString } };
}

function wrongEdit(path: string, edits: readonly Edit[], before: string): NewText | undefined {
  for (const { oldString, newString } of edits) {
    if (oldString === "" && (before !== "" || edits.length > 1))
      return refusal("not_empty", path, `${path} is not empty, so the text to replace can't be empty`);
    if (oldString === newString)
      return refusal("same", path, "the new text is the same as the text to replace", oldString);
  }
  return undefined;
}

/** `lines`: where each replacement begins. */
type Made = { text: string; lines: number[]; firstLine: number; lastLine: number };

function replaceAllOf(
  path: string,
  edits: readonly Edit[],
  before: string,
): Made | (NewText & { problem: string }) {
  let made: Made | undefined;
  for (const { oldString, newString, all } of edits) {
    const text = made?.text ?? before;
    const replaced = replaceText(text, { wanted: oldString, replacement: newString, all, path });
    if ("problem" in replaced) return refusal(replaced.case, path, replaced.problem, oldString);
    const lines = [...(made?.lines ?? []), ...replaced.lines];
    made = { ...replaced, ...(made && { firstLine: made.firstLine, lastLine: made.lastLine }), lines };
  }
  return made ?? { text: before, lines: [], firstLine: 1, lastLine: 1 };
}

function answerFor(path: string, edits: readonly Edit[], made: Made): NewText {
  const { text, lines, firstLine, lastLine } = made;
  const snippet = snippetOf(text, firstLine, lastLine);
  const times = lines.length === 1 ? "1 replacement" : `${lines.length} replacements`;
  const where = lines.length === 1 ? `line ${firstLine}` : `lines ${lines.slice(0, 10).join(", ")}`;
  return {
    text,
    answer: `Edited ${path} (${times}, ${where}):\n${snippet}`,
    fields: {
      case: edits.some(({ all }) => all) ? "replaced_all" : "replaced",
      path,
      edits: edits.length,
      replacements: lines.length,
      line: firstLine,
      snippet,
      ...regionOf(text, firstLine, lastLine),
    },
  };
}

/** The same place without numbers; the empty line after the last line end counts. */
function regionOf(text: string, firstLine: number, lastLine: number) {
  const lines = text.split(/\r?\n/);
  const from = Math.max(1, firstLine - SHOWN_AROUND);
  const to = Math.min(lines.length, lastLine + SHOWN_AROUND, from + MAX_SHOWN - 1);
  return { region: lines.slice(from - 1, to).join("\n"), from, to, total: lines.length };
}

/** The first replaced place and what is around it. */
function snippetOf(text: string, firstLine: number, lastLine: number): string {
  const { texts } = splitLines(text);
  const from = Math.max(1, firstLine - SHOWN_AROUND);
  const to = Math.min(texts.length, lastLine + SHOWN_AROUND, from + MAX_SHOWN - 1);
  return numberedRegion(texts, from, to);
}
