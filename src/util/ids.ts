/** A UUID version 7. The ids of one process sort in the order in which they were made. */
export function uuidV7(): string {
  return Bun.randomUUIDv7();
}

/** `length` random hexadecimal digits, lower case. */
export function shortHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(length / 2)));
  return Buffer.from(bytes).toString("hex").slice(0, length);
}
