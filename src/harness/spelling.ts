import { editDistance } from "../util/nearest.ts";

/** `isGuess`: not only case and separators differ, but one letter. */
export type Spelled = { name: string; isGuess: boolean };

/** A typing error in a shorter word is too often another word: cmd and cwd, old and new, s and ms. */
const SHORTEST_TYPO = 5;

/** The one candidate that `word` is a spelling of: `Exec_Command` and `execComand` of `exec_command`. */
export function spelledLike(word: string, candidates: readonly string[]): Spelled | undefined {
  const same = candidates.filter((name) => letters(name) === letters(word));
  if (same.length > 0) return only(same, false);
  return only(
    candidates.filter((name) => isTypo(wordsOf(word), wordsOf(name))),
    true,
  );
}

/** Text without case and separators. */
export function letters(name: string): string {
  return name.toLowerCase().replace(/[_\-\s.]/g, "");
}

function only(names: readonly string[], isGuess: boolean): Spelled | undefined {
  const [name, ...more] = names;
  return name === undefined || more.length > 0 ? undefined : { name, isGuess };
}

function isTypo(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  const different = a.flatMap((word, at) => (word === b[at] ? [] : [[word, b[at] ?? ""] as const]));
  const [pair, ...more] = different;
  if (pair === undefined || more.length > 0) return false;
  const isLong = pair.every((word) => word.length >= SHORTEST_TYPO && !/\d/.test(word));
  return isLong && editDistance(...pair) === 1;
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
