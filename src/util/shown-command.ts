/** The script of `bash -lc '…'`, as it was before it was quoted; anything else as it is. */
export function shownCommand(command: string): string {
  const word = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  return (word && unquoted(word)) ?? command;
}

/** What a person would have typed: the script of `sh -c`, else the words. */
export function scriptOf(argv: readonly string[]): string {
  const [shell = "", flag = "", script] = argv;
  const isShell = /(?:^|\/)(?:ba|z|da|k|fi)?sh$/.test(shell) && /^-[a-z]*c$/.test(flag);
  return isShell && script !== undefined && argv.length === 3 ? script : argv.join(" ");
}

/** One word of a shell without its quotes; undefined when it is more than that. */
function unquoted(word: string): string | undefined {
  const parts = [...word.matchAll(/'([^']*)'|"([^"\\$`]*)"|([^'"\s\\$`]+)|[\s\S]/g)];
  const texts = parts.map(([, single, double, bare]) => single ?? double ?? bare);
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}
