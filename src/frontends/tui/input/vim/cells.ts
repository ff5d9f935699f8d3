/** One character of a draft as it is moved over, or a label that is moved over as a whole. */
export type Cell = { start: number; end: number; kind: "word" | "sign" | "space" | "newline" };

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A text in its characters; `atoms` are texts inside it that count as one. */
export function cellsOf(text: string, atoms: readonly string[]): Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    if (index < at) continue;
    const atom = atoms.find((one) => one !== "" && text.startsWith(one, index));
    at = index + (atom ?? segment).length;
    cells.push({ start: index, end: at, kind: atom === undefined ? kindOf(segment) : "word" });
  }
  return cells;
}

function kindOf(segment: string): Cell["kind"] {
  if (segment === "\n") return "newline";
  if (/^\s/.test(segment)) return "space";
  return /^[\p{L}\p{N}\p{M}_]/u.test(segment) ? "word" : "sign";
}

/** Index of the first cell of the line that holds cell `at`. */
export function lineFirst(cells: readonly Cell[], at: number): number {
  let first = at;
  while (cells[first - 1] !== undefined && cells[first - 1]?.kind !== "newline") first--;
  return first;
}

/** Index after the last cell of the line that holds cell `at`: of its line end, or of the end of the text. */
export function lineEnd(cells: readonly Cell[], at: number): number {
  let end = at;
  while (cells[end] !== undefined && cells[end]?.kind !== "newline") end++;
  return end;
}
