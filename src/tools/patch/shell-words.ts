/** One word of a shell script. `expands`: the shell would put something else in place of a part of it. */
export type ShellWord = { text: string; expands: boolean; end: number };

/** Reads the word at `start`; `undefined` where no word begins or a quote stays open. */
export function readShellWord(script: string, start: number): ShellWord | undefined {
  const word = { text: "", expands: false, end: start };
  while (word.end < script.length && !/[\s;&|<>()]/.test(script[word.end] ?? "")) {
    if (!readPiece(script, word)) return undefined;
  }
  return word.end === start ? undefined : word;
}

/**
 * Takes the backslashes away that double quotes and here-documents need. What the shell would expand stays as it is;
 * `expands` says that there is such a thing.
 */
export function unescapeDoubleQuoted(text: string, escapable: string): { text: string; expands: boolean } {
  let plain = "";
  let expands = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (char === "$" || char === "`") expands = true;
    if (char !== "\\" || next === "" || !escapable.includes(next)) plain += char;
    else {
      at++;
      if (next !== "\n") plain += next;
    }
  }
  return { text: plain, expands };
}

function readPiece(script: string, word: ShellWord): boolean {
  const char = script[word.end] ?? "";
  if (char === "'") return readSingleQuoted(script, word);
  if (char === '"') return readDoubleQuoted(script, word);
  if (char === "\\") {
    word.text += script[word.end + 1] ?? "";
    word.end += 2;
    return true;
  }
  if ("$`*?[~".includes(char)) word.expands = true;
  word.text += char;
  word.end++;
  return true;
}

function readSingleQuoted(script: string, word: ShellWord): boolean {
  const close = script.indexOf("'", word.end + 1);
  if (close === -1) return false;
  word.text += script.slice(word.end + 1, close);
  word.end = close + 1;
  return true;
}

function readDoubleQuoted(script: string, word: ShellWord): boolean {
  let close = word.end + 1;
  while (close < script.length && script[close] !== '"') close += script[close] === "\\" ? 2 : 1;
  if (close >= script.length) return false;
  const { text, expands } = unescapeDoubleQuoted(script.slice(word.end + 1, close), '"\\$`\n');
  word.text += text;
  word.expands ||= expands;
  word.end = close + 1;
  return true;
}
