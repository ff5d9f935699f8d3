import type { AgentDetail, AgentFacts } from "../../protocol/details.ts";
import type { Prepared, PreparedCall, RunContext, ToolResult } from "../types.ts";

/** What people see of children: without what only the parent calls them by. */
export function factsOf({ sessionId, name, status, message }: AgentFacts): AgentFacts {
  return { sessionId, name, status, ...(message === undefined ? {} : { message }) };
}

/** A call about children: it touches nothing by itself, and people see it. */
export function agentCall(
  shown: Omit<AgentDetail, "kind">,
  run: (ctx: RunContext) => Promise<ToolResult>,
): Prepared {
  const access: PreparedCall["access"] = {};
  const subject: PreparedCall["subject"] = { kind: "permissions", access };
  return { ready: { access, subject, shown: { kind: "agent", ...shown }, run } };
}

export const NO_AGENTS = "agents are switched off here, or this agent can't start further ones";
