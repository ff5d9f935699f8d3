export type Denial = {
  /** What the command wanted to touch, when its message says so. */
  path?: string;
  /** The line that shows the refusal, at most 512 characters; empty when only the exit code tells. */
  snippet: string;
};

const SIGNS = [
  "operation not permitted",
  "permission denied",
  "read-only file system",
  "seccomp",
  "sandbox",
  "landlock",
  "failed to write file",
];

// 128 + SIGSYS: the filter ended the command.
const BAD_SYSTEM_CALL = 159;
const LONGEST_SNIPPET = 512;

/** Does this outcome of a sandboxed command look like the sandbox's refusal? A guess from its words. */
export function denial(result: { exitCode: number; output: string }): Denial | undefined {
  if (result.exitCode === 0) return undefined;
  const line = lineWithSign(result.output);
  if (line !== undefined) return { ...pathIn(line), snippet: line.slice(0, LONGEST_SNIPPET) };
  return result.exitCode === BAD_SYSTEM_CALL ? { snippet: "" } : undefined;
}

/** The last one, as programs end with the reason for which they gave up. */
function lineWithSign(output: string): string | undefined {
  const lines = output.split(/[\r\n]+/);
  return lines.findLast((line) => SIGNS.some((sign) => line.toLowerCase().includes(sign)))?.trim();
}

/**
 * Before the sign, as in `cp: cannot create '/x/y': Read-only file system` and `sh: /x/y: Permission denied`, or after it,
 * as in `EROFS: read-only file system, open '/x/y'`.
 */
function pathIn(line: string): { path?: string } {
  const lower = line.toLowerCase();
  const sign = SIGNS.find((words) => lower.includes(words)) ?? "";
  const at = lower.indexOf(sign);
  const before = line.slice(0, at).replace(/:\s*$/, "");
  const named = before.split(": ").at(-1) ?? "";
  const candidates = [
    /['"‘“]([^'"’”]+)['"’”]$/.exec(before)?.[1],
    /^\S.*$/.exec(named)?.[0],
    /\s(\S+)$/.exec(named)?.[1],
    /['"‘“]([^'"’”]+)['"’”]/.exec(line.slice(at))?.[1],
  ];
  const path = candidates.find((name) => name !== undefined && /^(\/|\.{1,2}\/)/.test(name));
  return path === undefined ? {} : { path };
}
