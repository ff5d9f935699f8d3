import type { PermissionOption } from "@agentclientprotocol/sdk/unstable";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../../protocol/approvals.ts";
import { toAppError } from "../../util/errors.ts";
import type { Client } from "./client.ts";
import { titleText } from "./texts.ts";
import type { ToolCalls } from "./tool-calls.ts";

/** Where a client sees a call. */
export type CallPlace = { sessionId: string; calls: Pick<ToolCalls, "asked" | "refused"> };

/**
 * Asks the person at the client. Taking a question back without a word ends the turn. `childAt`: where calls of a child
 * agent are shown, when not among those of its parent.
 */
export function approverOf(
  client: Pick<Client, "permission">,
  parent: CallPlace,
  childAt: (sessionId: string) => CallPlace | undefined = () => undefined,
): Approver {
  return {
    async ask(asked, signal) {
      const { origin } = asked;
      const child = origin && childAt(origin.sessionId);
      const { sessionId, calls } = child ?? parent;
      const request = child && origin ? { ...asked, callId: origin.callId } : asked;
      const toolCall = calls.asked(request);
      const decision = await ask();
      if (decision.decision === "denied" || decision.decision === "abort") calls.refused(request.callId);
      return decision;

      async function ask(): Promise<ApprovalDecision> {
        const question = { sessionId, toolCall, options: optionsOf(request) };
        try {
          const { outcome } = await client.permission(question, signal);
          return outcome.outcome === "selected"
            ? decisionOf(outcome.optionId, request)
            : { decision: "abort" };
        } catch (cause) {
          if (signal.aborted) return { decision: "abort" };
          const { message } = toAppError(cause);
          return {
            decision: "denied",
            message: `the user could not be asked, so the call was refused: ${message}`,
          };
        }
      }
    },
  };
}

function optionsOf(request: ApprovalRequest): PermissionOption[] {
  const rule = ruleOf(request);
  const begin = titleText(rule.join(" "));
  const alike = `Allow commands that begin with ${begin} for this session`;
  return [
    { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
    { optionId: "allow_always", name: `Allow ${reachOf(request)}`, kind: "allow_always" },
    ...(rule.length === 0 ? [] : [{ optionId: "allow_alike", name: alike, kind: "allow_always" as const }]),
    ...(mayKeep(request) ? [{ optionId: "allow_kept", name: KEPT, kind: "allow_always" as const }] : []),
    { optionId: "reject_once", name: "Reject, and go on without it", kind: "reject_once" },
  ];
}

function mayKeep(request: ApprovalRequest): boolean {
  return request.kind === "mcp" && request.mayKeep === true;
}

const KEPT = "Allow every call of this tool always (config.toml will say so)";

/** How commands begin that may be allowed along with this one. */
function ruleOf(request: ApprovalRequest): string[] {
  return request.kind === "command" ? (request.proposedRule ?? []) : [];
}

function decisionOf(optionId: string, request: ApprovalRequest): ApprovalDecision {
  const rule = ruleOf(request);
  if (optionId === "allow_alike" && rule.length > 0) return { decision: "approved_with_rule", rule };
  if (optionId === "allow_kept" && mayKeep(request)) return { decision: "approved_always" };
  if (optionId === "allow_once") return { decision: "approved" };
  if (optionId === "allow_always") return { decision: "approved_for_session" };
  return { decision: "denied" };
}

/** What "always" means: the memory of a session is as narrow as this. */
function reachOf(request: ApprovalRequest): string {
  switch (request.kind) {
    case "command":
      return "this exact command for this session";
    case "patch":
      return request.changes.length === 1
        ? "changes of this file for this session"
        : "changes of these files for this session";
    case "permissions":
      return "this access for this session";
    case "mcp":
      return `every call of ${request.tool} for this session`;
  }
}
