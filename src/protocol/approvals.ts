import type { FileChange } from "./details.ts";
import type { Access } from "./policy.ts";

export type ApprovalSubject =
  /** `proposedRule`: of a subject, what the model proposes; of a request, what may be offered: how commands begin. */
  | { kind: "command"; argv: string[]; cwd: string; proposedRule?: string[] }
  | { kind: "patch"; changes: FileChange[]; grantRoot?: string }
  | { kind: "permissions"; access: Access }
  /** `mayKeep`: of a request, a yes may be for later sessions, too. */
  | { kind: "mcp"; server: string; tool: string; input: unknown; mayKeep?: true };

export type ApprovalRequest = {
  id: string;
  callId: string;
  /** Of a child agent: its own session, and the id that the call has there. */
  origin?: { sessionId: string; callId: string };
  reason?: string;
  /** A yes runs the call without the sandbox that is in force. */
  leavesSandbox?: boolean;
} & ApprovalSubject;

export type ApprovalDecision =
  | { decision: "approved" }
  | { decision: "approved_for_session" }
  /** In this session and in later ones. Only for what may be kept. */
  | { decision: "approved_always" }
  /** In this session, also commands in the same folder that begin with these words. */
  | { decision: "approved_with_rule"; rule: string[] }
  | { decision: "denied"; message?: string }
  | { decision: "abort" };

export interface Approver {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
