/** What a tool did, for people. What the model reads is a tool result's content. */
export type CommandDetail = {
  kind: "command";
  /** The argv joined with shell quoting, e.g. `/bin/bash -lc 'echo hi'`. */
  command: string;
  cwd: string;
  /** Absent while it runs. 128+N when signal N ended it, -1 when it could not be started. */
  exitCode?: number;
  /** stdout and stderr as they arrived; the middle is left out above 1 MiB. */
  output: string;
  durationMs: number;
  /** The session id that `exec_stdin` takes, while the command runs on. */
  processId?: number;
};
export type FilesDetail = { kind: "files"; changes: FileChange[] };
export type PlanStep = { text: string; status: "pending" | "in_progress" | "completed" };
export type PlanDetail = { kind: "plan"; steps: PlanStep[]; explanation?: string };
/** `result` is MCP's own CallToolResult ({content, structuredContent?, isError?, _meta?}); `error` a failure to reach the tool. */
export type McpDetail = {
  kind: "mcp";
  server: string;
  tool: string;
  input: unknown;
  result?: McpResult;
  error?: string;
};
export type McpResult = {
  content: unknown[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: unknown;
};
export type SearchDetail = { kind: "search"; query: string; action?: unknown };
/** Something that the model reports in a form of its own, laid out for people. */
export type ReportDetail = { kind: "report"; text: string };
/** Something done to child agents. `agents` is empty while one is being started. */
export type AgentDetail = {
  kind: "agent";
  action: "spawn" | "send" | "wait" | "close";
  agents: readonly AgentFacts[];
  prompt?: string;
};
export type AgentFacts = {
  /** The id of its session, under which it is recorded. */
  sessionId: string;
  /** A short name, for people. */
  name: string;
  /** "pending": it waits for its turn. */
  status: "pending" | "running" | "done" | "failed" | "interrupted" | "closed";
  /** Its last message, or why it failed. */
  message?: string;
};
export type NoDetail = { kind: "none" };

export type ToolDetail =
  | CommandDetail
  | FilesDetail
  | PlanDetail
  | McpDetail
  | SearchDetail
  | ReportDetail
  | AgentDetail
  | NoDetail;

/** `path` and `movedTo` are absolute; a move is an update whose `path` is the old name. `diff` is a unified diff. */
export type FileChange = { path: string; kind: "add" | "update" | "delete"; movedTo?: string; diff: string };
