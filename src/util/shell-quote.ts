/** One line of POSIX shell that stands for `argv`; a word without special characters stays bare. */
export function shellQuote(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  if (word === "") return "''";
  if (/^[A-Za-z0-9+\-./:@_]+$/.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  if (!/[$`"\\!]/.test(word)) return `"${word}"`;
  return word
    .split("'")
    .map((piece) => (piece === "" ? "" : `'${piece}'`))
    .join(`"'"`);
}
