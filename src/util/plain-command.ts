/**
 * The words of a command that is nothing but a program and its arguments: no second command, redirection, variable,
 * pattern, assignment or comment, so that its beginning tells what runs. `argv` may be `sh -c SCRIPT`. Undefined otherwise.
 */
export function plainWords(argv: readonly string[]): string[] | undefined {
  const [shell = "", flag = "", script] = argv;
  const isShell = /(?:^|\/)(?:ba|z|da|k)?sh$/.test(shell) && /^-[a-z]*c$/.test(flag);
  const words = isShell && argv.length === 3 ? wordsOf(script ?? "") : isShell ? undefined : [...argv];
  return words && words.length > 0 && !words[0]?.includes("=") ? words : undefined;
}

/** Are these words how the command begins? */
export function beginsWith(words: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length > 0 && beginning.every((word, i) => words[i] === word);
}

/** Words of one line, each bare or in quotes that change nothing inside; undefined when there is anything else. */
export function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  const one = /(?:'[^'\n]*'|"[^"$`\\\n!]*"|[\w@%+=:,./-]+)+/y;
  const text = line.trim();
  for (let at = 0; at < text.length; at = one.lastIndex) {
    const gap = /[ \t]*/y;
    gap.lastIndex = at;
    gap.exec(text);
    if (at > 0 && gap.lastIndex === at) return undefined;
    one.lastIndex = gap.lastIndex;
    const word = one.exec(text)?.[0];
    if (word === undefined) return undefined;
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double ?? ""));
  }
  return words;
}
