/** The same line as the patch and as the file has it. */
export type LinePair = { patch: string; file: string };

/** Gives an added line the file's indentation; `replaced` is the file's line that it stands in for, if there is one. */
export type Reindent = (added: string, replaced: string | undefined) => string | undefined;

/**
 * How the indentation of added lines has to change, learned from the lines that patch and file share. Answers
 * `undefined` for a line whose indentation can't be known: a guess would put code into the wrong block.
 */
export function learnIndent(pairs: readonly LinePair[]): Reindent {
  const known = pairs
    .filter(({ patch }) => patch.trim() !== "")
    .map(({ patch, file }) => ({ patch: indentOf(patch), file: indentOf(file) }));
  if (known.every(({ patch, file }) => patch === file)) return (added) => added;
  const change = shift(known) ?? unitChange(known);
  const lost = known.every(({ patch }) => patch === "");
  return (added, replaced) => {
    if (added.trim() === "") return added;
    if (change) return change(indentOf(added), added.trimStart());
    if (lost && replaced !== undefined && indentOf(added) === "") return indentOf(replaced) + added;
    return undefined;
  };
}

type Indents = { patch: string; file: string };
type Change = (indent: string, rest: string) => string | undefined;

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** Every line of the patch lacks the same blanks in front, or has the same too many. */
function shift(known: readonly Indents[]): Change | undefined {
  const first = known[0];
  if (!first) return undefined;
  const { patch, file } = first;
  if (file.endsWith(patch)) {
    const missing = file.slice(0, file.length - patch.length);
    if (known.every((pair) => pair.file === missing + pair.patch))
      return (indent, rest) => missing + indent + rest;
  }
  if (patch.endsWith(file)) {
    const extra = patch.slice(0, patch.length - file.length);
    if (known.every((pair) => pair.patch === extra + pair.file))
      return (indent, rest) => (indent.startsWith(extra) ? indent.slice(extra.length) + rest : undefined);
  }
  return undefined;
}

/** The patch is indented with blanks where the file has tabs, with tabs where it has blanks, or by another width. */
function unitChange(known: readonly Indents[]): Change | undefined {
  const sample = known.find(({ patch, file }) => patch !== "" && file !== "");
  if (!sample) return undefined;
  const levels = commonLevels(sample);
  for (const level of levels) {
    const from = sample.patch.slice(0, sample.patch.length / level);
    const to = sample.file.slice(0, sample.file.length / level);
    const change: Change = (indent, rest) => {
      const count = indent.length / from.length;
      return Number.isInteger(count) && from.repeat(count) === indent ? to.repeat(count) + rest : undefined;
    };
    if (known.every((pair) => change(pair.patch, "") === pair.file)) return change;
  }
  return undefined;
}

/** Into how many equal steps both indentations can be cut, most first. */
function commonLevels({ patch, file }: Indents): number[] {
  const levels: number[] = [];
  for (let n = Math.min(patch.length, file.length); n >= 1; n--)
    if (patch.length % n === 0 && file.length % n === 0) levels.push(n);
  return levels;
}
