/** The current one first, and marked; the others keep their order. */
export function currentFirst<T>(
  items: readonly T[],
  isCurrent: (item: T) => boolean,
): { item: T; isCurrent: boolean }[] {
  const marked = items.map((item) => ({ item, isCurrent: isCurrent(item) }));
  return [...marked.filter((one) => one.isCurrent), ...marked.filter((one) => !one.isCurrent)];
}
