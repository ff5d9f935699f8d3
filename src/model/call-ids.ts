/** An id for a call that came without one, unlike any other. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

/** The id as a provider accepts it: unchanged when it fits `pattern`, else another one that is always the same for it. */
export function fittingId(id: string, pattern: string | undefined): string {
  if (pattern === undefined || new RegExp(pattern).test(id)) return id;
  return Bun.hash(id).toString(36).padStart(13, "0").slice(-9);
}
