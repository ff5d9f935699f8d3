import type { ApprovalDecision, ApprovalRequest, Approver } from "../../protocol/approvals.ts";
import type { FileChange } from "../../protocol/details.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import type { Call, ElicitAnswer } from "./call.ts";

/** Asks the client of the newest call that still waits. Without an answer the call is denied: silence is no yes. */
export function elicitingApprover(thread: { id: string; newestCall(): Call | undefined }): Approver {
  return {
    async ask(request, signal): Promise<ApprovalDecision> {
      const call = thread.newestCall();
      if (call === undefined) return { decision: "denied", message: "there is nobody to ask" };
      try {
        return decisionOf(await call.elicit(question(request, thread.id, call.requestId), signal));
      } catch {
        return { decision: "denied", message: "the client gave no answer" };
      }
    },
  };
}

/** A `decision` counts only beside a yes: an answer that contradicts itself must not let anything run. */
export function decisionOf({ action = "accept", decision }: ElicitAnswer): ApprovalDecision {
  if (action === "decline") return { decision: "denied" };
  if (action !== "accept") return { decision: "abort" };
  switch (decision) {
    case undefined:
    case "approved":
      return { decision: "approved" };
    case "approved_for_session":
      return { decision: "approved_for_session" };
    case "abort":
      return { decision: "abort" };
    default:
      return { decision: "denied" };
  }
}

function question(request: ApprovalRequest, threadId: string, requestId: string | number) {
  const why = request.reason === undefined ? "" : ` (${request.reason})`;
  return {
    message: terminalSafe(`${wanted(request)}${why}`),
    requestedSchema: { type: "object", properties: {} },
    threadId,
    codex_mcp_tool_call_id: String(requestId),
    codex_event_id: request.id,
    codex_call_id: request.callId,
    ...(request.reason === undefined ? {} : { codex_reason: request.reason }),
    ...subjectFields(request),
  };
}

function wanted(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
      return `Allow running \`${request.argv.join(" ")}\` in ${request.cwd}?`;
    case "patch":
      return `Allow changing ${request.changes.map(({ path }) => path).join(", ")}?`;
    case "permissions":
      return `Allow writing to ${(request.access.writes ?? []).join(", ") || "files outside the workspace"}?`;
    case "mcp":
      return `Allow the tool ${request.tool} of the MCP server ${request.server}?`;
  }
}

function subjectFields(request: ApprovalRequest): Record<string, unknown> {
  switch (request.kind) {
    case "command":
      return {
        codex_elicitation: "exec-approval",
        codex_command: request.argv,
        codex_cwd: request.cwd,
        codex_parsed_cmd: [],
      };
    case "patch":
      return {
        codex_elicitation: "patch-approval",
        codex_changes: changesByPath(request.changes),
        ...(request.grantRoot === undefined ? {} : { codex_grant_root: request.grantRoot }),
      };
    case "permissions":
      return { codex_elicitation: "permissions-approval", writes: request.access.writes ?? [] };
    case "mcp":
      return {
        codex_elicitation: "mcp-approval",
        server: request.server,
        tool: request.tool,
        arguments: request.input ?? null,
      };
  }
}

/** The changes as the events and questions of the protocol show them. */
export function changesByPath(changes: readonly FileChange[]): Record<string, unknown> {
  return Object.fromEntries(
    changes.map(({ path, kind, diff, movedTo }) => [
      path,
      { type: kind, unified_diff: diff, ...(movedTo === undefined ? {} : { move_path: movedTo }) },
    ]),
  );
}
