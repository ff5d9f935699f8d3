/** A text cut into lines, each with the line end it had: "\n", "\r\n", or "" for a last line without one. */
export type TextLines = { texts: string[]; ends: string[] };

export function splitLines(text: string): TextLines {
  const texts: string[] = [];
  const ends: string[] = [];
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", start)) {
    const cr = at > start && text[at - 1] === "\r";
    texts.push(text.slice(start, cr ? at - 1 : at));
    ends.push(cr ? "\r\n" : "\n");
    start = at + 1;
  }
  if (start < text.length) {
    texts.push(text.slice(start));
    ends.push("");
  }
  return { texts, ends };
}

/** Joins lines; a line without an end that is no longer the last one gets `end`. */
export function joinLines({ texts, ends }: TextLines, end: string): string {
  const pieces: string[] = [];
  for (let i = 0; i < texts.length; i++)
    pieces.push(texts[i] ?? "", ends[i] === "" && i < texts.length - 1 ? end : (ends[i] ?? end));
  return pieces.join("");
}

/** The line end that most lines have; "\n" when there is none to go by. */
export function usualEnd(ends: readonly string[]): "\n" | "\r\n" {
  let crlf = 0;
  let lf = 0;
  for (const end of ends) {
    if (end === "\r\n") crlf++;
    if (end === "\n") lf++;
  }
  return crlf > lf ? "\r\n" : "\n";
}
