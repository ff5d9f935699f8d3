/**
 * Linux takes at most 128 KiB for one argument, but far more for all of them: a longer script is handed over in
 * pieces, which the shell joins again. For the script nothing changes: `$0`, `$#` and the exit code are as ever.
 */
export function splitLongScript(argv: readonly string[]): string[] {
  const [shell, option, script] = argv;
  if (!shell || !script || argv.length !== 3 || (option !== "-c" && option !== "-lc")) return [...argv];
  if (script.length * 3 <= LONGEST_ARGUMENT || Buffer.byteLength(script) <= LONGEST_ARGUMENT)
    return [...argv];
  const pieces = splitText(script, Math.floor(LONGEST_ARGUMENT / 3));
  const joined = pieces.map((_, index) => `\${${index + 1}}`).join("");
  return [shell, option, `eval "set --\n${joined}"`, shell, ...pieces];
}

/** Bytes; a UTF-16 unit takes up to three. */
const LONGEST_ARGUMENT = 100_000;

function splitText(text: string, maxUnits: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + maxUnits);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
