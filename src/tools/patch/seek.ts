type Reading = (line: string) => string;
type Sought = { read: Reading; wanted: readonly string[] };

/** From strict to tolerant. A stricter reading wins over an earlier place. */
const READINGS: readonly Reading[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plainTypography(line).trim(),
];

/** The first place at or after `from` where `wanted` stands in `lines`; with `atEnd` the end of the file is tried first. */
export function seek(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  atEnd = false,
): number | undefined {
  const last = lines.length - wanted.length;
  const readings = READINGS.map((read) => ({ read, wanted: wanted.map(read) }));
  if (atEnd && last >= from) for (const reading of readings) if (matchesAt(lines, last, reading)) return last;
  for (const reading of readings) {
    const at = firstMatch(lines, from, reading);
    if (at !== undefined) return at;
  }
  return undefined;
}

/**
 * Looks at each line of the file once, however often the wanted lines begin there (Knuth, Morris and Pratt): a file of
 * many equal lines would take minutes otherwise.
 */
function firstMatch(lines: readonly string[], from: number, { read, wanted }: Sought): number | undefined {
  if (wanted.length === 0) return from <= lines.length ? from : undefined;
  const fallbacks = fallbacksOf(wanted);
  let matched = 0;
  for (let i = from; i < lines.length; i++) {
    const line = read(lines[i] ?? "");
    while (matched > 0 && line !== wanted[matched]) matched = fallbacks[matched - 1] ?? 0;
    if (line === wanted[matched]) matched++;
    if (matched === wanted.length) return i - matched + 1;
  }
  return undefined;
}

/** For each beginning of the wanted lines, how many of its last lines are a beginning as well. */
function fallbacksOf(wanted: readonly string[]): number[] {
  const fallbacks = [0];
  for (let i = 1, length = 0; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = fallbacks[length - 1] ?? 0;
    if (wanted[i] === wanted[length]) length++;
    fallbacks.push(length);
  }
  return fallbacks;
}

function matchesAt(lines: readonly string[], at: number, { read, wanted }: Sought): boolean {
  for (let i = 0; i < wanted.length; i++) if (read(lines[at + i] ?? "") !== wanted[i]) return false;
  return true;
}

/** ASCII for the dashes, quotes and blanks that editors put in and models leave out. */
function plainTypography(text: string): string {
  return text
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018-\u201B]/g, "'")
    .replace(/[\u201C-\u201F]/g, '"')
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}
