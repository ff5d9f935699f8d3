import { isAbsolute, relative } from "node:path";
import type { FileChange } from "../../protocol/details.ts";
import { splitLines } from "../files/text-lines.ts";
import type { PlannedChange } from "./plan.ts";

const CONTEXT = 3;
/** Texts that differ in more lines than this are not compared line by line: it would take seconds. */
const MAX_EDITS = 2000;

/** The changes of a plan for people, with unified diffs whose paths are relative to `cwd`. */
export function describeChanges(changes: readonly PlannedChange[], cwd: string): Promise<FileChange[]> {
  return Promise.all(
    changes.map(async (change) => ({
      path: change.path,
      kind: change.kind,
      ...(change.movedTo === undefined ? {} : { movedTo: change.movedTo }),
      diff: await unifiedDiff(change, cwd),
    })),
  );
}

/** `--- a/old`, `+++ b/new` and the hunks; a file that was not or will not be there is /dev/null. Empty when nothing differs. */
async function unifiedDiff(change: PlannedChange, cwd: string): Promise<string> {
  const { path, movedTo, kind, before = "", after = "" } = change;
  const oldName = kind === "add" && change.before === undefined ? "/dev/null" : `a/${shortPath(path, cwd)}`;
  const newName = kind === "delete" ? "/dev/null" : `b/${shortPath(movedTo ?? path, cwd)}`;
  const hunks = before === after ? "" : await diffHunks(before, after);
  return hunks === "" ? "" : `--- ${oldName}\n+++ ${newName}\n${hunks}`;
}

function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") || isAbsolute(short) ? path.replace(/^\/+/, "") : short;
}

/** Only what lies between the equal beginning and the equal end is compared, so a small change in a huge file is cheap. */
async function diffHunks(before: string, after: string): Promise<string> {
  const a = wholeLines(before);
  const b = wholeLines(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const skipped = Math.max(0, head - CONTEXT);
  const cut = Math.max(0, tail - CONTEXT);
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch(
    "",
    "",
    a.slice(skipped, a.length - cut).join(""),
    b.slice(skipped, b.length - cut).join(""),
    undefined,
    undefined,
    { context: CONTEXT, maxEditLength: MAX_EDITS },
  );
  if (!patch)
    return `(diff left out: about ${a.length - head - tail} lines became ${b.length - head - tail})\n`;
  return patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const from = `-${position(oldStart + skipped, oldLines)}`;
      const to = `+${position(newStart + skipped, newLines)}`;
      return `@@ ${from} ${to} @@\n${lines.map((line) => `${line}\n`).join("")}`;
    })
    .join("");
}

/** A part without lines is named by the line before it. */
function position(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

function wholeLines(text: string): string[] {
  const { texts, ends } = splitLines(text);
  return texts.map((line, i) => line + (ends[i] ?? ""));
}
