/** How the sandbox and the approvals are told in one or two words; each part may be unknown yet. */
export function sandboxText(sandbox: string): string {
  return isUnsandboxed(sandbox) ? "full access" : sandbox;
}

export function isUnsandboxed(sandbox: string | undefined): boolean {
  return sandbox === "danger-full-access";
}

export function approvalsText(approvals: string): string {
  if (approvals === "never") return "never asks";
  return approvals === "untrusted" ? "always asks" : "asks";
}
