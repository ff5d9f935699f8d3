import { joinLines, splitLines, type TextLines, usualEnd } from "../files/text-lines.ts";
import { type LinePair, learnIndent, type Reindent } from "./indent.ts";
import type { Chunk, ChunkLine } from "./parse.ts";
import { seek } from "./seek.ts";

/** A part of the old file (`start`, `count` lines) and what stands there afterwards. */
type Replacement = { start: number; count: number; lines: TextLines };
type Place = { start: number; chunk: Chunk };
type Failure = { problem: string };

const BOM = "\uFEFF";

/**
 * The text after all chunks of one update. Lines that the patch only quotes keep the bytes they have in the file; added
 * lines get the line end of their neighbours and, where the patch lost it, the indentation of the file. `path` is for
 * the problem's text.
 */
export function applyChunks(
  text: string,
  chunks: readonly Chunk[],
  path: string,
): { text: string } | Failure {
  const bom = text.startsWith(BOM) ? BOM : "";
  const file = splitLines(text.slice(bom.length));
  const end = usualEnd(file.ends);
  const replacements: Replacement[] = [];
  let from = 0;
  for (const chunk of chunks) {
    const place = locate(file.texts, chunk, from, replacements, path);
    if ("problem" in place) return place;
    const replacement = build(file, place, end);
    if (!replacement) return { problem: otherIndentation(file.texts, place, path) };
    replacements.push(replacement);
    from = replacement.start + replacement.count;
  }
  return { text: bom + joinLines(spliceAll(file, replacements), end) };
}

function oldLines(chunk: Chunk): string[] {
  return chunk.lines.filter(({ op }) => op !== "+").map(({ text }) => text);
}

function locate(
  texts: readonly string[],
  chunk: Chunk,
  from: number,
  taken: readonly Replacement[],
  path: string,
): Place | Failure {
  let starts = [from];
  for (const header of chunk.headers) {
    const found = seekHeader(texts, header, starts[0] ?? from);
    if (found === undefined) return { problem: `Failed to find context '${header}' in ${path}` };
    // The lines begin below the header; some models repeat the header as the first line. A header above the last
    // change names the block that this chunk is in as well, so the search goes on from there first.
    starts = found + 1 >= from ? [found + 1, found] : [from, found + 1];
  }
  // Chunks in another order than the file: the top of the file is searched last.
  if (chunk.headers.length === 0 && from > 0) starts.push(0);
  if (chunk.headers.length === 0) starts.unshift(...hintedStarts(texts, chunk, from));
  for (const candidate of withoutLastBlank(chunk))
    for (const start of starts) {
      const at = placeFrom(texts, candidate, start);
      if (at !== undefined && isFree(at, oldLines(candidate).length, taken))
        return { start: at, chunk: candidate };
    }
  return { problem: `Failed to find expected lines in ${path}:\n${oldLines(chunk).join("\n")}` };
}

/** Where a unified diff says the lines are: at its line number if they stand right there, else below the words behind it. */
function hintedStarts(texts: readonly string[], chunk: Chunk, from: number): number[] {
  const { hint } = chunk;
  const wanted = oldLines(chunk);
  if (!hint || wanted.length === 0) return [];
  const at = hint.line - 1;
  const isThere = at >= 0 && seek(texts.slice(at, at + wanted.length), wanted, 0) !== undefined;
  if (isThere) return [at];
  const words = hint.words === "" ? undefined : seekHeader(texts, hint.words, from);
  return words === undefined ? [] : [words];
}

/** Lines to add without any other line go below the header, without a header to the end of the file. */
function placeFrom(texts: readonly string[], chunk: Chunk, start: number): number | undefined {
  const wanted = oldLines(chunk);
  if (wanted.length > 0) return seek(texts, wanted, start, chunk.endOfFile);
  return chunk.headers.length > 0 && !chunk.endOfFile ? start : texts.length;
}

/** A header is a whole line, or else the beginning of exactly one line. */
function seekHeader(texts: readonly string[], header: string, from: number): number | undefined {
  return (
    seek(texts, [header], from) ?? seek(texts, [header], 0) ?? onlyLineBeginning(texts, header.trim(), from)
  );
}

function onlyLineBeginning(texts: readonly string[], words: string, from: number): number | undefined {
  let only: number | undefined;
  for (let at = from; at < texts.length; at++) {
    if (!texts[at]?.trimStart().startsWith(words)) continue;
    if (only !== undefined) return undefined;
    only = at;
  }
  return only;
}

/** The chunk, then the chunk without an empty last line: models write one where the file ends. */
function withoutLastBlank(chunk: Chunk): Chunk[] {
  const lastOld = chunk.lines.findLastIndex(({ op }) => op !== "+");
  const line = chunk.lines[lastOld];
  if (line?.text !== "" || oldLines(chunk).length < 2) return [chunk];
  const lines = chunk.lines.toSpliced(lastOld, 1);
  const last = lines.at(-1);
  if (line.op === "-" && last?.op === "+" && last.text === "") lines.pop();
  return [chunk, { ...chunk, lines }];
}

function isFree(start: number, count: number, taken: readonly Replacement[]): boolean {
  return taken.every((other) => start + count <= other.start || start >= other.start + other.count);
}

/** `undefined` when the indentation of an added line can't be known. */
function build(file: TextLines, { start, chunk }: Place, end: string): Replacement | undefined {
  const reindent = learnIndent(pairsOf(file.texts, start, chunk.lines));
  const lines: TextLines = { texts: [], ends: [] };
  let at = start;
  let near = file.ends[start] || file.ends[start - 1] || end;
  for (const run of runsOf(chunk.lines)) {
    for (const _ of run.quoted) {
      lines.texts.push(file.texts[at] ?? "");
      lines.ends.push(file.ends[at] ?? "");
      near = file.ends[at++] || near;
    }
    const removed = file.texts.slice(at, at + run.removed.length);
    const removedEnds = file.ends.slice(at, at + run.removed.length);
    at += removed.length;
    const texts = reindented(run.added, removed, reindent);
    if (!texts) return undefined;
    for (const [i, text] of texts.entries()) {
      near = removedEnds[i] || near;
      lines.texts.push(text);
      lines.ends.push(near);
    }
  }
  return { start, count: at - start, lines };
}

function reindented(
  added: readonly string[],
  removed: readonly string[],
  reindent: Reindent,
): string[] | undefined {
  const pairwise = added.length === removed.length;
  const texts: string[] = [];
  for (const [i, line] of added.entries()) {
    const text = reindent(line, pairwise ? removed[i] : undefined);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

function pairsOf(texts: readonly string[], start: number, lines: readonly ChunkLine[]): LinePair[] {
  return lines
    .filter(({ op }) => op !== "+")
    .map(({ text }, i) => ({ patch: text, file: texts[start + i] ?? "" }));
}

/** Quoted lines, then lines to remove, then lines to add: the chunk as a list of such steps. */
type Run = { quoted: string[]; removed: string[]; added: string[] };

function runsOf(lines: readonly ChunkLine[]): Run[] {
  const runs: Run[] = [];
  let run: Run = { quoted: [], removed: [], added: [] };
  for (const { op, text } of lines) {
    const closed =
      (op === " " && run.removed.length + run.added.length > 0) || (op === "-" && run.added.length > 0);
    if (closed) {
      runs.push(run);
      run = { quoted: [], removed: [], added: [] };
    }
    (op === " " ? run.quoted : op === "-" ? run.removed : run.added).push(text);
  }
  runs.push(run);
  return runs;
}

function spliceAll(file: TextLines, replacements: readonly Replacement[]): TextLines {
  const texts: string[] = [];
  const ends: string[] = [];
  let at = 0;
  const copy = (to: number) => {
    for (; at < to; at++) {
      texts.push(file.texts[at] ?? "");
      ends.push(file.ends[at] ?? "");
    }
  };
  for (const { start, count, lines } of replacements.toSorted((a, b) => a.start - b.start)) {
    copy(start);
    for (const text of lines.texts) texts.push(text);
    for (const end of lines.ends) ends.push(end);
    at = start + count;
  }
  copy(file.texts.length);
  return { texts, ends };
}

function otherIndentation(texts: readonly string[], { start, chunk }: Place, path: string): string {
  const wanted = oldLines(chunk);
  const there = texts.slice(start, start + wanted.length).join("\n");
  return `Failed to find expected lines in ${path}:\n${wanted.join("\n")}\nLine ${start + 1} has this text with another indentation; copy the lines as they are:\n${there}`;
}
