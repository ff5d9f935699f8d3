/** `field` is where, `reason` what is wrong there in a word or two; both for harnesses with words of their own. */
export type Misfit = { problem: string; field: string; reason: string };
export type Checked = { value: unknown } | Misfit;
export type Reading = {
  /** Where the value stands, for messages; empty at the top. */
  path: string;
  /** A name with one wrong letter is taken as meant; else it is a problem. */
  mayGuess: boolean;
  /** What was not taken as it is, each as a few words, is added here. */
  changes: string[];
};

export function misfit(path: string, reason: string): Misfit {
  return { problem: `${named(path)}${reason}`, field: path, reason };
}

/** A place as the beginning of a sentence. */
export function named(path: string): string {
  return path ? `field \`${path}\` ` : "the arguments ";
}

/** A value as JSON, for a sentence; a long one is cut. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
