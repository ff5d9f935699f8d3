type Reading = (line: string) => string;

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
  for (const reading of readings)
    for (let at = from; at <= last; at++) if (matchesAt(lines, at, reading)) return at;
  return undefined;
}

function matchesAt(
  lines: readonly string[],
  at: number,
  { read, wanted }: { read: Reading; wanted: readonly string[] },
): boolean {
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
