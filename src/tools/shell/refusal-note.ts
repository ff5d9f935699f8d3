import type { Sandbox, SandboxPolicy } from "../../protocol/policy.ts";

/**
 * One line for the model when the sandbox, not the command, is the reason of a failure: what was refused and who can
 * allow it. A script may well end with 0 after a refused write, so a read-only file system is told in any case.
 */
export function refusalNote(
  outcome: { exitCode: number; output: string },
  policy: SandboxPolicy,
  sandbox: Sandbox,
): string | undefined {
  if (policy.mode !== "restricted") return undefined;
  const network = policy.network || outcome.exitCode === 0 ? undefined : lineWith(NO_NETWORK, outcome.output);
  if (network) return `(the sandbox refused: ${network}; network access is off, ${NETWORK_REMEDY})`;
  const readOnly = lineWith(READ_ONLY, outcome.output);
  if (readOnly) return `(the sandbox refused: ${readOnly}; ${writeRemedy(policy.write)})`;
  // The shell could find the program but not execute it: its mode bits, most of the time.
  if (outcome.exitCode === NOT_EXECUTABLE || !sandbox.denied(outcome)) return undefined;
  const line = lineWith(DENIED, outcome.output) ?? `exit code ${outcome.exitCode}`;
  return `(the sandbox may have refused this: ${line}; ${writeRemedy(policy.write)})`;
}

const READ_ONLY = /read-only file system/i;
const DENIED = /permission denied|operation not permitted/i;
const NO_NETWORK =
  /could not resolve host|temporary failure in name resolution|network is unreachable|name or service not known|EAI_AGAIN|ENETUNREACH/i;
const NOT_EXECUTABLE = 126;
const MAX_SNIPPET = 300;
const MAX_FOLDERS = 6;

const ASK = "or the user can approve running the command outside the sandbox";
const NETWORK_REMEDY = `the setting sandbox_workspace_write.network_access = true allows it, ${ASK}`;

function writeRemedy(writable: readonly string[]): string {
  if (writable.length === 0) {
    return `nothing is writable in read-only mode, --sandbox workspace-write allows writing in the workspace, ${ASK}`;
  }
  const folders = writable.slice(0, MAX_FOLDERS).join(", ") + (writable.length > MAX_FOLDERS ? ", …" : "");
  return `writable are ${folders}; --add-dir FOLDER or sandbox_workspace_write.writable_roots allows more, ${ASK}`;
}

function lineWith(pattern: RegExp, output: string): string | undefined {
  const at = output.search(pattern);
  if (at < 0) return undefined;
  const start = output.lastIndexOf("\n", at) + 1;
  const end = output.indexOf("\n", at);
  return output
    .slice(start, end < 0 ? undefined : end)
    .trim()
    .slice(0, MAX_SNIPPET);
}
