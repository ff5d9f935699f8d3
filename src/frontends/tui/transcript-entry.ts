import type { ApprovalDecision, ApprovalRequest } from "../../protocol/approvals.ts";
import type { ThreadItem } from "../../protocol/events.ts";
import type { MarkdownStream } from "./view/markdown.ts";
import type { Notice } from "./view/notices.ts";

export type Cell =
  | { kind: "user"; text: string }
  | { kind: "item"; item: ThreadItem }
  | { kind: "notice"; notice: Notice }
  | { kind: "approval"; request: ApprovalRequest; decision: ApprovalDecision["decision"] }
  | { kind: "turn_end"; durationMs: number; outputTokens: number };

export type Entry = {
  cell: Cell;
  isRunning: boolean;
  /** ms since the epoch. */
  startedAt?: number;
  /** How long it ran, in ms. */
  tookMs?: number;
  /** The Markdown of an answer that streams, and whether rows of it are in the scrollback already. */
  stream?: MarkdownStream;
  hasBegun?: boolean;
};
