/** How well `name` answers `query`, lower is better; undefined when not at all. Beginning, then word, then scattered letters. */
export function matchRank(query: string, name: string): number | undefined {
  const wanted = query.toLowerCase();
  const text = name.toLowerCase();
  if (wanted === text) return -1;
  if (text.startsWith(wanted)) return 0;
  const at = text.indexOf(wanted);
  if (at >= 0) return 1 + at / 1000;
  return scattered(wanted, text);
}

/** The letters of `wanted` in their order; the closer together, the better. */
function scattered(wanted: string, text: string): number | undefined {
  let at = -1;
  let gaps = 0;
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    if (at >= 0) gaps += next - at - 1;
    at = next;
  }
  return 2 + gaps / 1000;
}
