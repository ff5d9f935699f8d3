import type { WrittenCall } from "../written-call.ts";

/**
 * `str_replace_editor view /a.txt --view_range 1 20` as a call of the tool that is named like its first word; undefined
 * for any other command, and for one that a shell would have to expand.
 */
export function editorCall(command: string): WrittenCall | undefined {
  const [program, name, path, ...rest] = shellWords(command) ?? [];
  if (program !== "str_replace_editor" || name === undefined || path === undefined) return undefined;
  const parameters: Record<string, unknown> = { path };
  let option = "";
  for (const word of rest) {
    const [, long] = /^--([a-z_]+)$/.exec(word) ?? [];
    if (long !== undefined) option = long;
    else parameters[option] = withWord(parameters[option], option, word);
  }
  const { view_range: range } = parameters;
  const [from, to] = Array.isArray(range) ? range.map(Number) : [];
  if (from !== undefined) parameters["offset"] = from;
  if (from !== undefined && to !== undefined && to >= from) parameters["limit"] = to - from + 1;
  return { name, parameters };
}

function withWord(before: unknown, option: string, word: string): unknown {
  if (option === "view_range") return [...(Array.isArray(before) ? before : []), word];
  return before === undefined ? word : `${String(before)} ${word}`;
}

const WORD = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|(\s+)/y;

/** Undefined when a quote stays open. */
function shellWords(script: string): string[] | undefined {
  const words: string[] = [];
  let current: string | undefined;
  const piece = new RegExp(WORD);
  while (piece.lastIndex < script.length) {
    const match = piece.exec(script);
    if (!match) return undefined;
    const [, single, double, escaped, plain, blank] = match;
    if (blank !== undefined) {
      if (current !== undefined) words.push(current);
      current = undefined;
      continue;
    }
    const text = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "";
    current = (current ?? "") + text;
  }
  return current === undefined ? words : [...words, current];
}
