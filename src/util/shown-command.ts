/** The script of `bash -lc '…'`, as it was before it was quoted; anything else as it is. */
export function shownCommand(command: string): string {
  const word = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  return (word && unquoted(word)) ?? command;
}

/** One word of a shell without its quotes; undefined when it is more than that. */
function unquoted(word: string): string | undefined {
  const parts = [...word.matchAll(/'([^']*)'|"([^"\\$`]*)"|([^'"\s\\$`]+)|[\s\S]/g)];
  const texts = parts.map(([, single, double, bare]) => single ?? double ?? bare);
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}
