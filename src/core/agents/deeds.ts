import type { ApprovalRequest, Approver } from "../../protocol/approvals.ts";
import type { Emit, TurnEvent } from "../../protocol/events.ts";

/**
 * Lets through what a person must see of a child: commands, changes, calls of servers, questions, trouble. Each carries
 * the child's name, and ids of calls that are not those of its parent.
 */
export function onlyDeeds(emit: Emit, agent: string): Emit {
  const open = new Set<string>();
  return (event) => {
    switch (event.type) {
      case "item.started":
      case "item.updated":
      case "item.completed":
        if (!DEEDS.has(event.item.type)) return;
        open.add(event.item.id);
        return emit({
          ...event,
          item: { agent, ...event.item },
          ...("callId" in event ? ofChild(event, agent) : {}),
        });
      case "item.delta":
        return open.has(event.id) ? emit(event) : undefined;
      case "approval.requested":
        return emit({ ...event, request: named(event.request, agent) });
      case "approval.resolved":
      case "retrying":
      case "model.loading":
        return emit(event);
      case "warning":
        return emit({ ...event, message: `agent ${agent}: ${event.message}` });
      default:
        return undefined;
    }
  };
}

/** Passes questions on, with the name of the child that asks. */
export function asking(approver: Approver, agent: string, sessionId: string): Approver {
  return {
    ask: (request, signal) => {
      const origin = { sessionId, callId: request.callId };
      return approver.ask({ origin, ...named(request, agent) }, signal);
    },
  };
}

/** Many servers count the calls of each conversation from 0, so that a child's would have the ids of its parent's. */
function ofChild({ callId }: { callId?: string }, agent: string): { callId: string } | Record<never, never> {
  return callId === undefined ? {} : { callId: `${agent}/${callId}` };
}

function named(request: ApprovalRequest, agent: string): ApprovalRequest {
  const by = `agent ${agent}`;
  return {
    ...request,
    ...ofChild(request, agent),
    reason: request.reason === undefined ? by : `${by}: ${request.reason}`,
  };
}

const DEEDS: ReadonlySet<TurnEventItem> = new Set([
  "command_execution",
  "file_change",
  "mcp_tool_call",
  "web_search",
  "agent_call",
] as const);

type TurnEventItem = Extract<TurnEvent, { type: "item.started" }>["item"]["type"];
