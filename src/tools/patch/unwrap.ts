/**
 * The lines of a patch without line ends and without what models wrap around it: a Markdown fence, a here-document,
 * the name of the program, blank lines.
 */
export function unwrapPatch(text: string): string[] {
  let lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (;;) {
    lines = withoutBlankEnds(lines);
    const inner = withoutFence(lines) ?? withoutHereDocument(lines);
    if (inner === undefined) return lines;
    lines = inner;
  }
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]?.trim() === "") start++;
  while (end > start && lines[end - 1]?.trim() === "") end--;
  return lines.slice(start, end);
}

function withoutFence(lines: readonly string[]): string[] | undefined {
  const fence = lines[0]?.trim().match(/^(`{3,}|~{3,})[\w+-]*$/)?.[1];
  if (fence === undefined || lines.length < 2 || lines.at(-1)?.trim() !== fence) return undefined;
  return lines.slice(1, -1);
}

function withoutHereDocument(lines: readonly string[]): string[] | undefined {
  const opening = lines[0]?.trim().match(/^(?:apply_?patch\s+)?<<-?\s*(['"]?)(\w+)\1$/);
  if (!opening || lines.length < 2 || lines.at(-1)?.trim() !== opening[2]) return undefined;
  return lines.slice(1, -1);
}
