import { createHash } from "node:crypto";

const MAX_LENGTH = 64;

/**
 * The name under which a model sees a tool of a server. Model servers accept `[A-Za-z0-9_-]{1,64}`; a name that had to
 * be cut, or that another tool has already, ends in a digest of the two names it stands for. Never one of `taken`, even if
 * a server lists a tool many times, or gives a tool the name that another would get: model servers refuse such a list.
 */
export function modelName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, "_");
  if (plain.length <= MAX_LENGTH && !taken.has(plain)) return plain;
  for (let turn = 0; ; turn += 1) {
    const stands = turn === 0 ? `${server}\0${tool}` : `${server}\0${tool}\0${turn}`;
    const digest = createHash("sha1").update(stands).digest("hex").slice(0, 12);
    const name = `${plain.slice(0, MAX_LENGTH - digest.length - 1)}_${digest}`;
    if (!taken.has(name)) return name;
  }
}
