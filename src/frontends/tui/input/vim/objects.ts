import { type Cell, lineEnd, lineFirst } from "./cells.ts";

export type TextObject =
  | "word"
  | "big_word"
  | "parentheses"
  | "brackets"
  | "braces"
  | "double_quotes"
  | "single_quotes"
  | "backticks";
/** From one cell to before another. */
export type CellRange = { from: number; to: number };

const PAIRS = { parentheses: "()", brackets: "[]", braces: "{}" } as const;
const QUOTES = { double_quotes: '"', single_quotes: "'", backticks: "`" } as const;

/** The cells of the object around cell `at`; undefined when there is none. `isWhole`: with what surrounds it. */
export function objectAt(
  object: TextObject,
  isWhole: boolean,
  place: { text: string; cells: readonly Cell[]; at: number },
): CellRange | undefined {
  switch (object) {
    case "word":
    case "big_word":
      return wordAt(object === "big_word", isWhole, place);
    case "parentheses":
    case "brackets":
    case "braces":
      return widened(pairAt(PAIRS[object], place), isWhole);
    case "double_quotes":
    case "single_quotes":
    case "backticks":
      return widened(quotedAt(QUOTES[object], place), isWhole);
  }
}

type Place = { text: string; cells: readonly Cell[]; at: number };

function wordAt(isBig: boolean, isWhole: boolean, { cells, at }: Place): CellRange | undefined {
  const kindOf = (cell: Cell | undefined) => (isBig && cell?.kind === "sign" ? "word" : cell?.kind);
  const kind = kindOf(cells[at]);
  if (kind === undefined || kind === "newline") return undefined;
  let from = at;
  let to = at + 1;
  while (kindOf(cells[from - 1]) === kind) from--;
  while (kindOf(cells[to]) === kind) to++;
  if (!isWhole) return { from, to };
  const before = to;
  while (cells[to]?.kind === "space") to++;
  // At the end of a line the space before it goes instead.
  if (to === before) while (cells[from - 1]?.kind === "space") from--;
  return { from, to };
}

function pairAt([open, close]: string, { text, cells, at }: Place): CellRange | undefined {
  const is = (i: number, sign: string | undefined) => {
    const cell = cells[i];
    return cell !== undefined && text.slice(cell.start, cell.end) === sign;
  };
  let depth = 0;
  let from = at;
  for (; from >= 0; from--) {
    if (from !== at && is(from, close)) depth++;
    if (is(from, open) && depth-- === 0) break;
  }
  if (from < 0) return undefined;
  depth = 0;
  for (let to = from + 1; to < cells.length; to++) {
    if (is(to, open)) depth++;
    if (is(to, close) && depth-- === 0) return { from: from + 1, to };
  }
  return undefined;
}

/** The quotes of a line belong together two by two. */
function quotedAt(quote: string, { text, cells, at }: Place): CellRange | undefined {
  const places: number[] = [];
  for (let i = lineFirst(cells, at); i < lineEnd(cells, at); i++) {
    const cell = cells[i];
    if (cell && text.slice(cell.start, cell.end) === quote) places.push(i);
  }
  for (let i = 0; i + 1 < places.length; i += 2) {
    const [from = 0, to = 0] = places.slice(i, i + 2);
    if (at <= to) return { from: from + 1, to };
  }
  return undefined;
}

function widened(inner: CellRange | undefined, isWhole: boolean): CellRange | undefined {
  return inner && isWhole ? { from: inner.from - 1, to: inner.to + 1 } : inner;
}
