import { createHash } from "node:crypto";

const MAX_LENGTH = 64;

/**
 * The name under which a model sees a tool of a server. Model servers accept `[A-Za-z0-9_-]{1,64}`; a name that had to
 * be cut, or that another tool has already, ends in a digest of the two names it stands for.
 */
export function modelName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, "_");
  if (plain.length <= MAX_LENGTH && !taken.has(plain)) return plain;
  const digest = createHash("sha1").update(`${server}\0${tool}`).digest("hex").slice(0, 12);
  return `${plain.slice(0, MAX_LENGTH - digest.length - 1)}_${digest}`;
}
