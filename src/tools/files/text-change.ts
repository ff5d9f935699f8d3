import { readFile, stat } from "node:fs/promises";
import { codeOf } from "../../util/fs.ts";
import { describeChanges } from "../patch/diff.ts";
import type { PlannedChange } from "../patch/plan.ts";
import { planningProblem } from "../plan-state.ts";
import { readingCall, refused, textResult } from "../results.ts";
import type { Prepared, RunContext, ToolContext, ToolMemory, ToolResult } from "../types.ts";
import { type Location, locate, touched } from "./location.ts";
import { asOpen, saveOpen } from "./open-in-editor.ts";
import { osErrorText } from "./os-error.ts";
import { noteSeen } from "./read-state.ts";
import { MAX_FILE_BYTES } from "./size-limit.ts";
import { readUtf8 } from "./text.ts";

/** The file as it is; `text` is undefined when there is none. `realPath` is its key in the memory of files read. */
export type OldFile = { text: string | undefined; realPath: string; memory: ToolMemory };
export type NewText =
  | { text: string; answer: string; fields?: ToolResult["fields"] }
  | { problem: string; fields?: ToolResult["fields"] };

/**
 * A call that rewrites one text file. `rewrite` is asked before the call, for what people see, and again when it runs,
 * because the file may have changed in between.
 */
export async function prepareTextChange(
  path: string,
  rewrite: (old: OldFile) => NewText,
  ctx: ToolContext,
): Promise<Prepared> {
  const planning = planningProblem(ctx);
  if (planning) return refused(planning);
  const location = await locate(path);
  const planned = await plan(path, location, rewrite, ctx);
  // A problem's text may quote the file, so it has to pass the policy for reading like any other answer.
  if ("problem" in planned) return readingCall(touched(location), async () => failure(planned));
  const changes = await describeChanges([planned.change], ctx.cwd);
  return {
    ready: {
      access: { reads: [location.target], writes: touched(location) },
      subject: { kind: "patch", changes },
      shown: { kind: "files", changes },
      run: (run) => write(path, location, rewrite, run),
    },
  };
}

type Problem = Extract<NewText, { problem: string }>;
type Planned = { change: PlannedChange; text: string; answer: string; fields: ToolResult["fields"] };

async function plan(
  path: string,
  { target }: Location,
  rewrite: (old: OldFile) => NewText,
  { memory, editor }: ToolContext,
): Promise<Planned | Problem> {
  const old = await readOld(path, target, editor);
  if ("problem" in old) return old;
  const made = rewrite({ text: old.text, realPath: target, memory });
  if ("problem" in made) return made;
  const { text, answer, fields } = made;
  const kind = old.text === undefined ? "add" : "update";
  const before = old.text === undefined ? {} : { before: old.text };
  return { change: { path, kind, ...before, after: text }, text, answer, fields };
}

async function write(
  path: string,
  location: Location,
  rewrite: (old: OldFile) => NewText,
  ctx: RunContext,
): Promise<ToolResult> {
  const now = await locate(path);
  if (now.target !== location.target)
    return textResult(
      false,
      `${path} leads to another file than when the call was checked; nothing was written`,
    );
  const planned = await plan(path, location, rewrite, ctx);
  if ("problem" in planned) return failure(planned);
  try {
    await saveOpen(location.target, planned.text, { editor: ctx.editor });
  } catch (error) {
    return textResult(false, `${path} can't be written: ${osErrorText(error)}`);
  }
  noteSeen(ctx.memory, location.target, planned.text);
  const changes = await describeChanges([planned.change], ctx.cwd);
  return textResult(true, planned.answer, planned.fields, { kind: "files", changes });
}

/** The first line of the problem, what follows it, and all of it in one line are fields, for harnesses that frame it. */
function failure({ problem, fields }: Problem): ToolResult {
  const end = problem.indexOf("\n");
  const [summary, more] = end < 0 ? [problem, ""] : [problem.slice(0, end), problem.slice(end + 1)];
  const oneLine = problem.replaceAll("\n", " | ");
  return textResult(false, problem, fields && { summary, more, oneLine, ...fields });
}

async function readOld(
  path: string,
  target: string,
  editor: ToolContext["editor"],
): Promise<{ text: string | undefined } | { problem: string }> {
  try {
    const stats = await stat(target);
    if (stats.isDirectory()) return { problem: `${path} is a folder` };
    if (!stats.isFile()) return { problem: `${path} is not a regular file` };
    if (stats.size > MAX_FILE_BYTES)
      return { problem: `${path} is too large to change (${stats.size} bytes); change it by a command` };
    const found = readUtf8(await asOpen(target, await readFile(target), editor));
    return "text" in found ? found : { problem: `${path} is ${found.notText}` };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return { text: undefined };
    if (code === undefined) throw error;
    return { problem: `${path} can't be read: ${osErrorText(error)}` };
  }
}
