/** The part of a line, in UTF-16 units, that the other line has differently. */
export type Part = { start: number; end: number };

/** Whole words; undefined when the lines have too little in common for a mark to help. */
export function changedPart(line: string, other: string): Part | undefined {
  const own = wordsOf(line);
  const theirs = wordsOf(other);
  const most = Math.min(own.length, theirs.length);
  let head = 0;
  while (head < most && own[head] === theirs[head]) head++;
  let tail = 0;
  while (tail < most - head && own.at(-1 - tail) === theirs.at(-1 - tail)) tail++;
  const start = own.slice(0, head).join("").length;
  const end = line.length - own.slice(own.length - tail).join("").length;
  const isMost = (end - start) * 2 > line.trim().length && end - start > 12;
  return start >= end || isMost ? undefined : { start, end };
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? [];
}
