/** What has to be written of a row: from `column` on; `isToEnd`: what stood after it must go first. */
export type RowChange = { column: number; text: string; isToEnd: boolean };

/** Rows that are new among old ones: `count` of them, before the old row `at`. */
export type Gap = { at: number; count: number };

/** A space at which no style is on. `column`: undefined where cells before it can't be counted for sure. */
type Place = { index: number; column: number | undefined };

/** Below this, moving to the place takes as much as writing anew. */
const LEAST_KEPT = 6;
const SPACE = 0x20;
const ESCAPE = 0x1b;

/**
 * The least that makes a row that shows `old` show `now`. Rows are only parted at spaces outside of any style, so that
 * what is written joins nothing beside it, and only after characters that are one cell wide in every terminal.
 */
export function rowChange(old: string, now: string): RowChange {
  const whole: RowChange = { column: 0, text: now, isToEnd: true };
  if (old === "") return whole;
  const [before, after] = [placesOf(old), placesOf(now)];
  const same = commonStart(old, now);
  const start = after.findLast(({ index, column }) => index < same && (column ?? 0) >= LEAST_KEPT);
  const from = start ?? { index: 0, column: 0 };
  const shift = now.length - old.length;
  const sameEnd = commonEnd(old, now);
  const end = after.find(
    ({ index, column }) =>
      index > from.index &&
      index >= now.length - sameEnd &&
      column !== undefined &&
      before.some((place) => place.index === index - shift && place.column === column),
  );
  if (end && end.index - shift > from.index)
    return { column: from.column ?? 0, text: now.slice(from.index, end.index), isToEnd: false };
  return start ? { column: start.column ?? 0, text: now.slice(start.index), isToEnd: true } : whole;
}

/** What moving rows takes itself, in characters. */
const MOVING = 16;

/**
 * Where rows were put in, so that moving the old rows after them down leaves the least to write; undefined when nothing
 * is gained by it. Of equal places it is the last.
 */
export function gapBetween(old: readonly string[], now: readonly string[]): Gap | undefined {
  const count = now.length - old.length;
  if (count <= 0 || old.length === 0) return undefined;
  const cost = (before: string, after: string) =>
    before === after ? 0 : MOVING / 2 + rowChange(before, after).text.length;
  const kept = old.map((row, i) => cost(row, now[i] ?? ""));
  const moved = old.map((row, i) => cost(row, now[i + count] ?? ""));
  // As if all were moved down; then, one row after the other stays where it is.
  let price = MOVING + sum(moved) + sum(now.slice(0, count).map(({ length }) => length));
  let best = { at: 0, price };
  for (let at = 1; at <= old.length; at++) {
    const [stays, comes] = [now[at - 1] ?? "", now[at + count - 1] ?? ""];
    price += (kept[at - 1] ?? 0) - (moved[at - 1] ?? 0) + comes.length - stays.length;
    if (at === old.length) price -= MOVING;
    if (price <= best.price) best = { at, price };
  }
  return best.at === old.length ? undefined : { at: best.at, count };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function commonStart(old: string, now: string): number {
  const most = Math.min(old.length, now.length);
  let length = 0;
  while (length < most && old.charCodeAt(length) === now.charCodeAt(length)) length += 1;
  return length;
}

function commonEnd(old: string, now: string): number {
  const most = Math.min(old.length, now.length);
  let length = 0;
  while (length < most && old.charCodeAt(old.length - 1 - length) === now.charCodeAt(now.length - 1 - length))
    length += 1;
  return length;
}

function placesOf(row: string): Place[] {
  const places: Place[] = [];
  const open = new Set<number>();
  let column: number | undefined = 0;
  for (let index = 0; index < row.length; index++) {
    const code = row.charCodeAt(index);
    if (code === ESCAPE) {
      const sequence = /^\u001b\[([0-9;]*)m/.exec(row.slice(index, index + 32));
      if (!sequence || !follow(sequence[1] ?? "", open)) return places;
      index += sequence[0].length - 1;
      continue;
    }
    if (code === SPACE && open.size === 0) places.push({ index, column });
    column = column === undefined || !isOneCell(code) ? undefined : column + 1;
  }
  return places;
}

/** Printable ASCII, and the dots that a working row turns. */
function isOneCell(code: number): boolean {
  return (code >= SPACE && code < 0x7f) || (code >= 0x2800 && code <= 0x28ff);
}

const CLOSING = [22, 23, 24, 27, 29, 39, 49];

/** Notes the styles that are on, by the number that ends each; false for a style that we don't know. */
function follow(parameters: string, open: Set<number>): boolean {
  const code = Number(parameters.split(";")[0]);
  if (code === 0) open.clear();
  else if (CLOSING.includes(code)) open.delete(code);
  else {
    const closing = closingOf(code);
    if (closing === undefined) return false;
    open.add(closing);
  }
  return true;
}

function closingOf(code: number): number | undefined {
  if (code === 1 || code === 2) return 22;
  if (code === 3 || code === 4 || code === 7 || code === 9) return code + 20;
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39;
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49;
  return undefined;
}
