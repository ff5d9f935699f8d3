import { readShellWord, unescapeDoubleQuoted } from "./shell-words.ts";

export type ShellPatch = { patch: string; workdir?: string };

const SHELLS = new Set(["bash", "zsh", "sh"]);

/**
 * The patch in a script that does nothing but apply one: `[cd DIR &&] apply_patch <<'EOF' … EOF`, the patch as an
 * argument, or the bare patch, also inside one `bash -lc`. Any other script is for the shell.
 */
export function patchFromShell(script: string): ShellPatch | undefined {
  return patchFromScript(script) ?? patchFromWrapper(script);
}

function patchFromWrapper(script: string): ShellPatch | undefined {
  const words: string[] = [];
  let at = skipBlanks(script, 0);
  while (at < script.length) {
    const word = readShellWord(script, at);
    if (!word || words.length === 3) return undefined;
    words.push(word.text);
    at = skipBlanks(script, word.end);
  }
  const [shell = "", flag = "", inner] = words;
  if (!SHELLS.has(shell.split("/").at(-1) ?? "") || !/^-l?c$/.test(flag) || inner === undefined)
    return undefined;
  return patchFromScript(inner);
}

function patchFromScript(script: string): ShellPatch | undefined {
  const text = script.trim();
  if (text.startsWith("*** Begin Patch") && text.endsWith("*** End Patch")) return { patch: text };
  const change = changeOfFolder(text);
  if (!change) return undefined;
  const command = /^apply_?patch[ \t]+/.exec(text.slice(change.end));
  if (!command) return undefined;
  const rest = text.slice(change.end + command[0].length);
  const patch = rest.startsWith("<<") ? hereDocument(rest) : onlyArgument(rest);
  if (patch === undefined) return undefined;
  return { patch, ...(change.workdir === undefined ? {} : { workdir: change.workdir }) };
}

/** `cd DIR &&` at the beginning; `undefined` when the folder is only known to the shell. */
function changeOfFolder(text: string): { workdir?: string; end: number } | undefined {
  const cd = /^cd[ \t]+/.exec(text);
  if (!cd) return { end: 0 };
  const word = readShellWord(text, cd[0].length);
  if (!word || word.expands || word.text.startsWith("-")) return undefined;
  const and = /^\s*&&\s*/.exec(text.slice(word.end));
  return and ? { workdir: word.text, end: word.end + and[0].length } : undefined;
}

function hereDocument(text: string): string | undefined {
  const opening = /^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|(\\?)(\w+))[ \t]*\n/.exec(text);
  if (!opening) return undefined;
  const [whole, dash, single, double, escaped, bare] = opening;
  const lines = text.slice(whole.length).split("\n");
  const delimiter = single ?? double ?? bare;
  const strip = (line: string) => (dash === "-" ? line.replace(/^\t+/, "") : line);
  // The text is trimmed, so the delimiter must be its last line, and stand nowhere before.
  if (lines.findIndex((line) => strip(line).trimEnd() === delimiter) !== lines.length - 1) return undefined;
  const body = lines
    .slice(0, -1)
    .map((line) => `${strip(line)}\n`)
    .join("");
  const literal = single !== undefined || double !== undefined || escaped === "\\";
  if (literal) return body;
  // Whoever leaves a `$` bare in an unquoted here-document forgot the quotes and means all of it literally.
  const { text: unescaped, expands } = unescapeDoubleQuoted(body, "\\$`\n");
  return expands ? body : unescaped;
}

function onlyArgument(text: string): string | undefined {
  const word = readShellWord(text, 0);
  return word && word.end === text.length && word.text.includes("*** Begin Patch") ? word.text : undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}
