const MOST = 20;

/** Names as a message has room for: all of them, or the first ones and how many more there are. */
export function someNames(names: readonly string[], most = MOST): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}
