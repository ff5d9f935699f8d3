import { developerText, type Item } from "../../protocol/items.ts";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import type { ApprovalPolicy, SandboxMode } from "../../protocol/settings.ts";

/** What the model may do, in a few sentences: the rules that otherwise show up as refusals. */
export function permissionsText(mode: SandboxMode, policy: SandboxPolicy, approvals: ApprovalPolicy): Item {
  const sentences = [...boundary(mode, policy), asking(mode, approvals)];
  return developerText(`<permissions instructions>\n${sentences.join("\n")}\n</permissions instructions>`);
}

function boundary(mode: SandboxMode, policy: SandboxPolicy): string[] {
  if (policy.mode === "off")
    return ["Commands run without a sandbox, with the user's own rights and with network access."];
  if (policy.mode === "external") return ["Commands run inside an isolation that somebody else set up."];
  const network = policy.network ? "Network access is on." : "Network access is off.";
  if (mode === "read-only") {
    return [`Commands run in a read-only sandbox: they can read every file and can't change any. ${network}`];
  }
  return [
    "Commands run in a sandbox: they can read every file, and write only below the writable roots of the environment context.",
    `Inside those roots .git, .agents, .codex, .openinterpreter and .aws are read-only. ${network}`,
  ];
}

function asking(mode: SandboxMode, approvals: ApprovalPolicy): string {
  switch (approvals) {
    case "never":
      return "Nobody can be asked for more rights. When something is refused, find another way or say what is missing.";
    case "on-request":
      return mode === "danger-full-access"
        ? "The user is not asked before commands."
        : "A command that must leave the sandbox can ask the user: set sandbox_permissions to require_escalated and give a one-sentence justification.";
    case "untrusted":
      return "The user is asked before commands that are not known to be safe.";
  }
}
