import { unwrapPatch } from "./unwrap.ts";

/** `text` is the line without its marker and without a line end. */
export type ChunkLine = { op: " " | "-" | "+"; text: string };
export type Chunk = {
  /** Lines named after `@@`: each is looked for after the one before it. */
  headers: string[];
  /** What a `@@ -4,2 +4,2 @@ words` of a unified diff says of the place. Models count badly, so it may be wrong. */
  hint?: Hint;
  lines: ChunkLine[];
  endOfFile: boolean;
};
/** `line` counts from 1 in the old file; `words` are a line above the change, or "". */
export type Hint = { line: number; words: string };
export type Hunk =
  | { kind: "add"; path: string; lines: string[] }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; moveTo?: string; chunks: Chunk[] };

/** `line` counts from 1 at the `*** Begin Patch` line; it is absent when the patch as a whole is wrong. */
type PatchProblem = { line?: number; message: string };
export type ParsedPatch = { hunks: Hunk[] } | { problem: PatchProblem };

type Cursor = { readonly lines: readonly string[]; at: number };
type Step<T> = { done: T } | { problem: PatchProblem };

/** Reads the text of a patch. Paths stay as they were written; a patch without any hunk is no problem here. */
export function parsePatch(text: string): ParsedPatch {
  const lines = unwrapPatch(text);
  if (marker(lines[0]) !== "Begin Patch")
    return { problem: { message: "The first line of the patch must be '*** Begin Patch'" } };
  if (lines.length < 2 || marker(lines.at(-1)) !== "End Patch")
    return { problem: { message: "The last line of the patch must be '*** End Patch'" } };

  const cursor: Cursor = { lines: lines.slice(0, -1), at: 1 };
  if (cursor.lines[1]?.trim().startsWith("*** Environment ID:")) cursor.at++;
  const hunks: Hunk[] = [];
  while (cursor.at < cursor.lines.length) {
    if (cursor.lines[cursor.at]?.trim() === "") {
      cursor.at++;
      continue;
    }
    const step = parseHunk(cursor);
    if ("problem" in step) return step;
    hunks.push(step.done);
  }
  return { hunks };
}

/** The words of a `*** words` line; some models put stars on both sides. */
function marker(line: string | undefined): string | undefined {
  return line
    ?.trim()
    .match(/^\*\*\* ?(.*?)(?:\s*\*\*\*)?$/)?.[1]
    ?.trim();
}

function parseHunk(cursor: Cursor): Step<Hunk> {
  const line = cursor.lines[cursor.at] ?? "";
  const header = marker(line)?.match(/^(Add|Delete|Update) File:\s*(\S.*)$/);
  const path = header?.[2] ?? "";
  switch (header?.[1]) {
    case "Add":
      cursor.at++;
      return { done: { kind: "add", path, lines: parseAddedLines(cursor) } };
    case "Delete":
      cursor.at++;
      return { done: { kind: "delete", path } };
    case "Update":
      return parseUpdate(cursor, path);
    case undefined:
  }
  const message = `'${line.trim()}' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'`;
  return { problem: { line: cursor.at + 1, message } };
}

function parseAddedLines(cursor: Cursor): string[] {
  const added: string[] = [];
  for (; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? "";
    if (line.startsWith("+")) added.push(line.slice(1));
    // A blank line between two added lines lost its plus.
    else if (line.trim() === "" && nextFilled(cursor)?.startsWith("+")) added.push("");
    else break;
  }
  return added;
}

function nextFilled({ lines, at }: Cursor): string | undefined {
  for (let i = at; i < lines.length; i++) if (lines[i]?.trim() !== "") return lines[i];
  return undefined;
}

function parseUpdate(cursor: Cursor, path: string): Step<Hunk> {
  const headerLine = cursor.at + 1;
  cursor.at++;
  const moveTo = marker(cursor.lines[cursor.at])?.match(/^Move to:\s*(\S.*)$/)?.[1];
  if (moveTo !== undefined) cursor.at++;
  skipDiffHeader(cursor);

  const chunks: Chunk[] = [];
  while (cursor.at < cursor.lines.length && !isFileHeader(cursor.lines[cursor.at] ?? "")) {
    if (cursor.lines[cursor.at] === "" && isSectionEnd(cursor)) {
      cursor.at++;
      continue;
    }
    const step = parseChunk(cursor);
    if ("problem" in step) return step;
    chunks.push(step.done);
  }
  if (chunks.length === 0 && moveTo === undefined)
    return { problem: { line: headerLine, message: `Update file hunk for path '${path}' is empty` } };
  return { done: { kind: "update", path, ...(moveTo === undefined ? {} : { moveTo }), chunks } };
}

/** `--- a/f` and `+++ b/f` in front of a first `@@` come from a unified diff and say nothing new. */
function skipDiffHeader(cursor: Cursor): void {
  const [first, second, third] = cursor.lines.slice(cursor.at, cursor.at + 3);
  if (first?.startsWith("--- ") && second?.startsWith("+++ ") && third?.startsWith("@@")) cursor.at += 2;
}

/** In a chunk only these lines are markers: everything that begins with a blank, `+` or `-` is content. */
function isFileHeader(line: string): boolean {
  return line.startsWith("***") && line.trimEnd() !== "*** End of File";
}

/** Are there only empty lines up to the next file header? They separate sections and are not context. */
function isSectionEnd(cursor: Cursor): boolean {
  for (let i = cursor.at; i < cursor.lines.length; i++) {
    const line = cursor.lines[i] ?? "";
    if (line !== "") return isFileHeader(line);
  }
  return true;
}

function parseChunk(cursor: Cursor): Step<Chunk> {
  const firstLine = cursor.at + 1;
  const hint = hintIn(cursor.lines[cursor.at] ?? "");
  const headers = parseChunkHeaders(cursor);
  const chunk: Chunk = { headers, ...(hint ? { hint } : {}), lines: [], endOfFile: false };
  for (; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? "";
    if (isChunkHeader(line) || isFileHeader(line) || (line === "" && isSectionEnd(cursor))) break;
    if (line.trimEnd() === "*** End of File") {
      chunk.endOfFile = true;
      cursor.at++;
      break;
    }
    if (line.startsWith("\\ No newline")) continue;
    const read = parseChunkLine(line);
    if (!read) return { problem: { line: cursor.at + 1, message: strayLine(line) } };
    chunk.lines.push(read);
  }
  if (chunk.lines.length === 0)
    return { problem: { line: firstLine, message: "Update hunk does not contain any lines" } };
  return { done: chunk };
}

function parseChunkHeaders(cursor: Cursor): string[] {
  const headers: string[] = [];
  for (; isChunkHeader(cursor.lines[cursor.at] ?? ""); cursor.at++) {
    const header = headerText(cursor.lines[cursor.at] ?? "");
    if (header !== "") headers.push(header);
  }
  return headers;
}

function parseChunkLine(line: string): ChunkLine | undefined {
  // An empty line stands for an empty line of the file: its leading blank got lost.
  const op = line === "" ? " " : line[0];
  return op === " " || op === "+" || op === "-" ? { op, text: line.slice(1) } : undefined;
}

function isChunkHeader(line: string): boolean {
  return line === "@@" || line.startsWith("@@ ");
}

const UNIFIED = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/;

function hintIn(line: string): Hint | undefined {
  const [, number, words = ""] = UNIFIED.exec(line) ?? [];
  return number === undefined ? undefined : { line: Number(number), words: words.trimEnd() };
}

/** The line that `@@` names. */
function headerText(line: string): string {
  if (hintIn(line)) return "";
  return line
    .slice(3)
    .replace(/\s+@@\s*$/, "")
    .trimEnd();
}

function strayLine(line: string): string {
  return `Unexpected line found in update hunk: '${line}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)`;
}
