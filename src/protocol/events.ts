import type { ErrorInfo } from "../util/errors.ts";
import type { ApprovalDecision, ApprovalRequest } from "./approvals.ts";
import type { AgentDetail, CommandDetail, FileChange, McpResult, PlanStep } from "./details.ts";
import type { Item, Part } from "./items.ts";
import type { SandboxPolicy } from "./policy.ts";
import type { ApprovalPolicy, Effort, SandboxMode } from "./settings.ts";

import type { Speed, Usage } from "./usage.ts";

export type ItemId = string;
export type ItemStatus = "in_progress" | "completed" | "failed" | "declined";

/** The settings a turn runs under, as they are recorded. */
export type TurnContext = {
  turnId: string;
  cwd: string;
  provider: string;
  model: string;
  harness: string;
  effort?: Effort;
  approvals: ApprovalPolicy;
  sandboxMode: SandboxMode;
  sandbox: SandboxPolicy;
};

/** Everything that happens in a session, in order. Front ends and the recorder are listeners of equal rank. */
export type TurnEvent =
  | { type: "session.started"; session: SessionFacts }
  | { type: "turn.started"; context: TurnContext; input: Part[] }
  /** `callId`: the tool call that the item shows. */
  | { type: "item.started"; item: ThreadItem; callId?: string }
  | { type: "item.delta"; id: ItemId; field: "text" | "reasoning" | "output"; delta: string }
  | { type: "item.updated"; item: ThreadItem }
  | { type: "item.completed"; item: ThreadItem; callId?: string }
  | { type: "history.appended"; item: Item }
  | { type: "approval.requested"; request: ApprovalRequest }
  | { type: "approval.resolved"; id: string; decision: ApprovalDecision }
  | { type: "usage"; turn: Usage; total: Usage; last: Usage; contextWindow: number; speed?: Speed }
  | { type: "retrying"; attempt: number; of: number; delayMs: number; error: ErrorInfo }
  /** History is now `history`; `summary` is the text that stands for what was left out. `before`, `after`: estimated tokens. */
  | { type: "compacted"; before: number; after: number; summary: string; history: Item[] }
  | { type: "warning"; message: string }
  /** The model server is reading the model into memory; the answer begins after that. */
  | { type: "model.loading"; model: string }
  | { type: "turn.completed"; turnId: string; usage: Usage; durationMs: number; lastMessage?: string }
  | { type: "turn.failed"; turnId: string; error: ErrorInfo }
  /** The end of a turn whose work is kept but that may go no further. `used` and `max` in requests, tokens or money. */
  | ({ type: "budget.reached"; turnId: string; message: string } & UsedUp)
  | { type: "turn.aborted"; turnId: string; reason: AbortReason };

export type UsedUp = {
  scope: "run" | "session";
  limit: "turns" | "tokens" | "cost";
  used: number;
  max: number;
};

export type AbortReason = "interrupted" | "replaced" | "shutdown" | "deadline";

/** What a session file says about itself in its first line. */
export type SessionFacts = {
  id: string;
  cwd: string;
  /** RFC 3339 with milliseconds, UTC. */
  createdAt: string;
  provider: string;
  model: string;
  harness: string;
  /** Why this harness, for people. */
  harnessReason?: string;
  originator: string;
  source: "exec" | "tui" | "acp" | "mcp" | "app-server";
  cliVersion: string;
  instructions?: string;
  title?: string;
  forkedFrom?: string;
  parent?: string;
  git?: { commit?: string; branch?: string; repository?: string };
};

/** What a person sees. Not what the model sees: that is `Item`. `agent`: the name of the child agent that does it. */
export type ThreadItem = { id: ItemId; agent?: string } & (
  | { type: "agent_message"; text: string }
  | { type: "reasoning"; text: string }
  | ({ type: "command_execution"; status: ItemStatus } & Omit<CommandDetail, "kind">)
  | { type: "file_change"; changes: FileChange[]; status: ItemStatus }
  | {
      type: "mcp_tool_call";
      server: string;
      tool: string;
      input: unknown;
      result?: McpResult;
      error?: string;
      status: ItemStatus;
    }
  | { type: "web_search"; query: string; action?: unknown }
  | { type: "todo_list"; steps: PlanStep[] }
  | ({ type: "agent_call"; status: ItemStatus } & Omit<AgentDetail, "kind">)
  | { type: "error"; message: string }
);

export type Emit = (event: TurnEvent) => void;
