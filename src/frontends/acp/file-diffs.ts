import { readFileSync, statSync } from "node:fs";
import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import type { FileChange } from "../../protocol/details.ts";

type Hunk = { start: number; before: string[]; after: string[] };

/** Larger files are shown by their changed parts alone. Bytes. */
const LARGEST_WHOLE = 256 * 1024;

/** A change that is about to be made, as diffs of whole files, which are read now; of large files only the parts. */
export function diffsOf(change: FileChange): ToolCallContent[] {
  const { path, kind, movedTo, diff } = change;
  const hunks = hunksOf(diff);
  const shownPath = movedTo ?? path;
  if (kind === "add" && diff.startsWith("--- /dev/null"))
    return [diffOf(shownPath, null, hunks.map(({ after }) => after.join("")).join(""))];
  const before = wholeText(path);
  const after = before === undefined ? undefined : applied(before, hunks);
  if (before !== undefined && after !== undefined) return [diffOf(shownPath, before, after)];
  return hunks.map((hunk) => diffOf(shownPath, hunk.before.join(""), hunk.after.join("")));
}

/** The first changed line of a change, from 1. */
export function firstLineOf({ diff }: FileChange): number | undefined {
  const [hunk] = hunksOf(diff);
  return hunk && hunk.start + 1;
}

function diffOf(path: string, oldText: string | null, newText: string): ToolCallContent {
  return { type: "diff", path, oldText, newText };
}

function wholeText(path: string): string | undefined {
  try {
    return statSync(path).size <= LARGEST_WHOLE ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** `start` is the index of the first line in the old text. */
function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let lines: ("before" | "after")[] = [];
  for (const line of diff.split(/(?<=\n)/)) {
    const head = /^@@ -(\d+),(\d+) /.exec(line);
    const hunk = hunks.at(-1);
    if (head) {
      const [, at, count] = head;
      // A part without lines is named by the line before it.
      hunks.push({ start: count === "0" ? Number(at) : Number(at) - 1, before: [], after: [] });
      continue;
    }
    if (!hunk) continue;
    if (line.startsWith("\\")) {
      for (const side of lines) hunk[side].push((hunk[side].pop() ?? "").replace(/\r?\n$/, ""));
      continue;
    }
    lines = sidesOf(line);
    for (const side of lines) hunk[side].push(line.slice(1));
  }
  return hunks;
}

function sidesOf(line: string): ("before" | "after")[] {
  if (line.startsWith("-")) return ["before"];
  return line.startsWith("+") ? ["after"] : ["before", "after"];
}

/** Undefined when the text is not the one that the hunks were made for. */
function applied(text: string, hunks: readonly Hunk[]): string | undefined {
  const old = text.split(/(?<=\n)/);
  const made: string[] = [];
  let at = 0;
  for (const { start, before, after } of hunks) {
    if (old.slice(start, start + before.length).join("") !== before.join("")) return undefined;
    made.push(...old.slice(at, start), ...after);
    at = start + before.length;
  }
  return [...made, ...old.slice(at)].join("");
}
