import type { ApprovalSubject } from "../protocol/approvals.ts";
import type { Access, SandboxPolicy } from "../protocol/policy.ts";
import type { ApprovalPolicy } from "../protocol/settings.ts";
import { isReadable, isWritable } from "./writable.ts";

/** `run` says under which sandbox; `ask` what the user is asked, and under which sandbox a yes runs it. */
export type Verdict =
  | { verdict: "run"; policy: SandboxPolicy }
  | { verdict: "ask"; reason: string; policy: SandboxPolicy }
  | { verdict: "refuse"; text: string };

export type Question = {
  access: Access;
  subject: ApprovalSubject;
  escalate?: { justification?: string };
  approvals: ApprovalPolicy;
  policy: SandboxPolicy;
  /** An MCP tool that only reads, or that the user's configuration approves. */
  isTrustedMcpTool?: boolean;
  /** An MCP tool of which its server says that it only reads. */
  isReadingMcpTool?: boolean;
  /** The model may only look around, whatever was allowed before. */
  isPlanning?: boolean;
};

const OFF: SandboxPolicy = { mode: "off" };

/** Decides about one call before anything runs. Pure but for looking at links on disk. */
export function decide(question: Question): Verdict {
  const { subject, access, policy } = question;
  const hidden = (access.reads ?? []).filter((path) => !isReadable(path, policy));
  if (hidden.length > 0)
    return { verdict: "refuse", text: `reading is denied by the sandbox policy: ${hidden.join(", ")}` };
  const held = question.isPlanning ? heldByPlanning(question) : undefined;
  if (held !== undefined) return { verdict: "refuse", text: held };
  switch (subject.kind) {
    case "command":
      return decideCommand(question);
    case "patch":
      return decideWrites(question);
    case "mcp":
      return decideMcp(question);
    case "permissions":
      return (access.writes?.length ?? 0) > 0 ? decideWrites(question) : { verdict: "run", policy };
  }
}

/** Why a call has to wait for the end of planning. Commands that stay in their sandbox only read there. */
function heldByPlanning({
  subject,
  access,
  escalate,
  policy,
  isReadingMcpTool,
}: Question): string | undefined {
  if (subject.kind === "mcp" && !isReadingMcpTool)
    return "nothing is changed while you plan, and the server does not say that this tool only reads; hand the plan in first";
  if (escalate && policy.mode === "restricted")
    return "no command leaves the sandbox while you plan; hand the plan in first";
  if ((access.writes?.length ?? 0) > 0) return "nothing is changed while you plan; hand the plan in first";
  return undefined;
}

function decideCommand({ escalate, approvals, policy }: Question): Verdict {
  if (policy.mode !== "restricted") {
    return approvals === "untrusted"
      ? { verdict: "ask", reason: "the command runs without a sandbox", policy }
      : { verdict: "run", policy };
  }
  if (escalate) {
    if (approvals === "never") {
      return {
        verdict: "refuse",
        text: "approval policy is Never; the command was rejected because it asked to run outside the sandbox. Do without, or tell the user what you need.",
      };
    }
    return {
      verdict: "ask",
      reason: escalate.justification ?? "the model asks to run outside the sandbox",
      policy: OFF,
    };
  }
  if (approvals === "untrusted") return { verdict: "ask", reason: "every command is asked about", policy };
  return { verdict: "run", policy };
}

function decideWrites({ access, approvals, policy }: Question): Verdict {
  const outside = (access.writes ?? []).filter((path) => !isWritable(path, policy));
  if (outside.length === 0) {
    return approvals === "untrusted" && policy.mode === "off"
      ? { verdict: "ask", reason: "files are changed without a sandbox", policy }
      : { verdict: "run", policy };
  }
  if (approvals !== "never") {
    return { verdict: "ask", reason: `writes outside the workspace: ${outside.join(", ")}`, policy: OFF };
  }
  const isReadOnly = policy.mode === "restricted" && policy.write.length === 0;
  const why = isReadOnly ? "writing is blocked by read-only sandbox" : "writing outside of the project";
  return {
    verdict: "refuse",
    text: `patch rejected: ${why}; rejected by user approval settings (${outside.join(", ")})`,
  };
}

function decideMcp({ isTrustedMcpTool, approvals, policy }: Question): Verdict {
  if (isTrustedMcpTool || policy.mode === "off") return { verdict: "run", policy };
  if (approvals === "never") {
    return { verdict: "refuse", text: "MCP tool call requires approval, but approval policy is never" };
  }
  return { verdict: "ask", reason: "the tool may have side effects", policy };
}
