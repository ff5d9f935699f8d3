/**
 * Terminal output as a reader needs it: without escape sequences and control characters, and of a line that was
 * written over and over (progress) only its last state.
 */
export function readable(output: string): string {
  let text = output;
  if (text.includes(ESC)) text = text.replace(SEQUENCES, "");
  if (text.includes("\b")) text = text.split("\n").map(applyBackspaces).join("\n");
  if (text.includes("\r")) text = text.split("\n").map(lastState).join("\n");
  // Lists that are separated by NUL stay apart.
  return text.replaceAll("\0", " ").replace(CONTROLS, "");
}

const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);
/** An operating system command or a string sequence without its end is dropped up to the end of the line, not further. */
const SEQUENCES = new RegExp(
  [
    String.raw`${ESC}\[[0-?]*[ -/]*[@-~]`,
    String.raw`${ESC}[\]PX^_][^${BEL}${ESC}\n]*(?:${BEL}|${ESC}\\)?`,
    `${ESC}[ -/]+[0-~]`,
    `${ESC}[0-~]`,
  ].join("|"),
  "g",
);
/** Everything below space but tab and line feed, and DEL. */
const CONTROLS = new RegExp(
  `[${String.fromCharCode(1)}-${String.fromCharCode(8)}${String.fromCharCode(0x0b)}-${String.fromCharCode(0x1f)}${String.fromCharCode(0x7f)}]`,
  "g",
);

function lastState(line: string): string {
  const end = line.length - trailingReturns(line);
  const from = line.lastIndexOf("\r", end - 1);
  return line.slice(from + 1, end);
}

function trailingReturns(line: string): number {
  let count = 0;
  while (count < line.length && line[line.length - 1 - count] === "\r") count++;
  return count;
}

function applyBackspaces(line: string): string {
  if (!line.includes("\b")) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
